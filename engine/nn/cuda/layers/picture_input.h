#pragma once

#include <vector>

#include "engine/nn/cuda/kernels/normalize_pictures.h"
#include "engine/nn/cuda/layers/machine_layers.h"
#include "engine/nn/picture_input.h"

namespace slipstream {

template <class Machine>
class PictureInputOn final : public PictureInput {
 public:
  /// One mean and one deviation a channel, on the host, in units of bytes.
  PictureInputOn(Device& device, const Machine& machine, std::span<const float> mean, std::span<const float> deviation)
      : channels_(mean.size()),
        numbers_(device.allocate(2 * mean.size() * sizeof(float), MemoryCategory::data)),
        machine_(machine) {
    if (mean.empty() || mean.size() != deviation.size()) throw Error("there must be one mean and deviation a channel");
    std::vector<float> numbers(mean.begin(), mean.end());
    for (const float each : deviation) numbers.push_back(1.0F / each);
    device.copyIn(numbers_->bytes(), std::as_bytes(std::span(numbers)));
  }

  void normalize(std::span<const std::uint8_t> pictures, Activation to) override {
    if (pictures.size() != to.size() || pictures.size() % channels_ != 0)
      throw Error("pictures are normalized to another number of values");
    const float* numbers = numbers_->template as<float>().data();
    machine_.withType(to.type(), [&](auto type) {
      using Value = decltype(type);
      machine_.each(std::ssize(pictures),
                    NormalizePictures<Value>{pictures.data(), numbers, numbers + channels_,
                                             static_cast<std::uint32_t>(channels_), to.template as<Value>()});
    });
  }

 private:
  std::size_t channels_;
  std::unique_ptr<Buffer> numbers_;  ///< means, then inverse deviations
  Machine machine_;
};

}  // namespace slipstream
