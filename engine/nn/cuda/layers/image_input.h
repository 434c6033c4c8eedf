// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/nn/cuda/kernels/normalize_images.h"
#include "engine/nn/cuda/layers/layer_ops.h"
#include "engine/nn/image_input.h"

namespace slipstream {

template <class Ops>
class ImageInputOn final : public ImageInput {
 public:
  ImageInputOn(Device& device, const Ops& ops, const ImageNormalization& normalization)
      : channels_(normalization.mean.size()),
        numbers_(device.allocate(2 * channels_ * sizeof(float), MemoryCategory::data)),
        ops_(ops) {
    const auto& [mean, deviation] = normalization;
    if (mean.empty() || mean.size() != deviation.size()) throw Error("there must be one mean and deviation a channel");
    std::vector<float> numbers;
    for (const double each : mean) numbers.push_back(static_cast<float>(byteSteps * each));
    for (const double each : deviation) numbers.push_back(1.0F / static_cast<float>(byteSteps * each));
    device.copyIn(numbers_->bytes(), std::as_bytes(std::span(numbers)));
  }

  void normalize(std::span<const std::uint8_t> pictures, Activation to) override {
    if (pictures.size() != to.size() || pictures.size() % channels_ != 0)
      throw Error("images are normalized to another number of values");
    const float* numbers = numbers_->template as<float>().data();
    ops_.withType(to.type(), [&](auto type) {
      using Value = decltype(type);
      ops_.each(std::ssize(pictures),
                NormalizeImages<Value>{pictures.data(), numbers, numbers + channels_,
                                       static_cast<std::uint32_t>(channels_), to.template as<Value>()});
    });
  }

 private:
  static constexpr double byteSteps = 255;
  std::size_t channels_;
  std::unique_ptr<Buffer> numbers_;  ///< means, then inverse deviations, in units of bytes
  Ops ops_;
};

}  // namespace slipstream
