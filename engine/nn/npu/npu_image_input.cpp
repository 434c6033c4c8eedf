// SPDX-License-Identifier: GPL-3.0-or-later
#include <vector>

#include "engine/base/error.h"
#include "engine/nn/npu/layers.h"
#include "engine/nn/npu/npu_backend.h"

namespace slipstream {
namespace {

class NpuImageInput final : public ImageInput {
 public:
  NpuImageInput(Device& device, const ImageNormalization& normalization)
      : channels_(std::ssize(normalization.mean)),
        numbers_(device.allocate(2 * normalization.mean.size() * sizeof(float), MemoryCategory::data)),
        operators_(device),
        scratch_(device) {
    const auto& [mean, deviation] = normalization;
    if (mean.empty() || mean.size() != deviation.size()) throw Error("there must be one mean and deviation a channel");
    std::vector<float> values;
    for (const double each : mean) values.push_back(static_cast<float>(byteSteps * each));
    for (const double each : deviation) values.push_back(1.0F / static_cast<float>(byteSteps * each));
    device.copyIn(numbers_->bytes(), std::as_bytes(std::span(values)));
  }

  void normalize(std::span<const std::uint8_t> images, Activation to) override {
    if (images.size() != to.size() || std::ssize(images) % channels_ != 0)
      throw Error("images are normalized to another number of values");
    const bool inPlace = to.type() == NumberType::float32;
    const std::int64_t rows = std::ssize(images) / channels_;
    const ValuesView values = rowsOf(
        aclnn::float32, inPlace ? to.bytes() : scratch_.take(images.size() * sizeof(float)).data(), rows, channels_);
    const float* means = numbers_->as<float>().data();
    operators_.copy(values, rowsOf(aclnn::uint8, images.data(), rows, channels_));
    operators_.give(aclnnLibrary().subtract, values, vectorOf(aclnn::float32, means, channels_), scalar(1), values);
    operators_.multiply(values, vectorOf(aclnn::float32, means + channels_, channels_), values);
    if (!inPlace) operators_.copy(rowsOf(aclnnType(to.type()), to.bytes(), rows, channels_), values);
  }

 private:
  static constexpr double byteSteps = 255;
  std::int64_t channels_;
  std::unique_ptr<Buffer> numbers_;  ///< means, then inverse deviations, in units of bytes
  NpuOperators operators_;
  Scratch scratch_;
};

}  // namespace

std::unique_ptr<ImageInput> makeNpuImageInput(Device& device, const ImageNormalization& normalization) {
  aclnnLibrary();
  return std::make_unique<NpuImageInput>(device, normalization);
}

}  // namespace slipstream
