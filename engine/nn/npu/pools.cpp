// SPDX-License-Identifier: GPL-3.0-or-later
#include <bit>
#include <cstdint>
#include <limits>

#include "engine/base/error.h"
#include "engine/nn/npu/padded_images.h"

namespace slipstream {
namespace {

/// The lowest finite value of a type: Ascend's operator is not made for infinities.
float lowestOf(NumberType type) {
  constexpr float lowestHalf = -65'504;
  constexpr std::uint32_t lowestBfloat16 = 0xff7f0000;
  switch (type) {
    case NumberType::float16:
      return lowestHalf;
    case NumberType::bfloat16:
      return std::bit_cast<float>(lowestBfloat16);
    default:
      return std::numeric_limits<float>::lowest();
  }
}

class NpuMaxPool final : public Layer {
 public:
  NpuMaxPool(const LayerConfig& parts, NpuOperators& operators)
      : output_(parts.output),
        type_(parts.type),
        images_(parts.spec, parts.input),
        places_(parts.maxima.data()),
        scratch_(parts.scratch),
        operators_(operators) {
    scratch_.reserve<NpuParts>([&](NpuParts& counted) { return list(counted, parts.maximumBatch); });
  }

  void forward(const ForwardPass& pass) override {
    const Work work = prepare(pass.batch);
    const ValuesView input = images_.read(operators_, pass.input, pass.batch, lowestOf(type_), work.padded);
    operators_.give(aclnnLibrary().maxPool, input, images_.window(), images_.stride(), images_.padding(),
                    numbers({1, 1}), false, imagesOf(pass.output, pass.batch, output_), places(pass.batch));
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    const Work work = prepare(pass.batch);
    const ValuesView input = images_.read(operators_, pass.input, pass.batch, lowestOf(type_), work.padded);
    operators_.give(aclnnLibrary().maxPoolBackward, imagesOf(pass.outputGradient, pass.batch, output_), input,
                    places(pass.batch), images_.window(), images_.stride(), images_.padding(), numbers({1, 1}), false,
                    images_.written(pass.inputGradient, pass.batch, work.paddedGradient));
    images_.deliver(operators_, pass.inputGradient, pass.batch, work.paddedGradient);
  }

 private:
  /// Memory of one call.
  struct Work {
    std::byte* padded;
    std::byte* paddedGradient;
  };
  Work list(NpuParts& parts, std::int64_t batch) const {
    const std::int64_t bytes = images_.bytes(batch, type_);
    return {parts.take<std::byte>(bytes), parts.take<std::byte>(bytes)};
  }
  Work prepare(std::int64_t batch) {
    return scratch_.place<NpuParts>([&](NpuParts& parts) { return list(parts, batch); });
  }
  ValuesView places(std::int64_t batch) const { return imagesOf(aclnn::int32, places_, batch, output_); }

  SampleShape output_;
  NumberType type_;
  PaddedImages images_;
  std::int32_t* places_;  ///< of the last forward: where the largest was
  Scratch& scratch_;
  NpuOperators& operators_;
};

class NpuAvgPool final : public Layer {
 public:
  NpuAvgPool(const LayerConfig& parts, NpuOperators& operators)
      : input_(parts.input), output_(parts.output), images_(parts.spec, parts.input), operators_(operators) {
    if (!images_.isEven()) {
      throw Error(
          "a mean of windows that pad_mode same pads on one side more than on the other is not there on NPUs: "
          "use padding, or another device");
    }
  }

  void forward(const ForwardPass& pass) override {
    operators_.give(aclnnLibrary().avgPool, imagesOf(pass.input, pass.batch, input_), images_.window(),
                    images_.stride(), images_.padding(), false, false, std::int64_t{0}, aclnn::keepsType,
                    imagesOf(pass.output, pass.batch, output_));
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    operators_.give(aclnnLibrary().avgPoolBackward, imagesOf(pass.outputGradient, pass.batch, output_),
                    imagesOf(pass.input, pass.batch, input_), images_.window(), images_.stride(), images_.padding(),
                    false, false, std::int64_t{0}, aclnn::keepsType, imagesOf(pass.inputGradient, pass.batch, input_));
  }

 private:
  SampleShape input_;
  SampleShape output_;
  PaddedImages images_;
  NpuOperators& operators_;
};

class NpuGlobalAvgPool final : public Layer {
 public:
  NpuGlobalAvgPool(const LayerConfig& parts, NpuOperators& operators)
      : input_(parts.input), scratch_(parts.scratch), operators_(operators) {
    scratch_.reserve<NpuParts>([&](NpuParts& counted) { return counted.take<float>(means(parts.maximumBatch)); });
  }

  void forward(const ForwardPass& pass) override {
    operators_.give(aclnnLibrary().mean, imagesOf(pass.input, pass.batch, input_), numbers({2, 3}), false,
                    aclnn::float32, rowsOf(aclnn::float32, pass.output.as<float>(), pass.batch, input_.channels));
  }

  void backward(const BackwardPass& pass) override {
    if (pass.inputGradient.empty()) return;
    const auto* shares =
        scratch_.place<NpuParts>([&](NpuParts& parts) { return parts.take<float>(means(pass.batch)); });
    const ValuesView share = rowsOf(aclnn::float32, shares, pass.batch, input_.channels);
    const auto positions = static_cast<float>(input_.height * input_.width);
    operators_.give(aclnnLibrary().scale,
                    rowsOf(aclnn::float32, pass.outputGradient.as<float>(), pass.batch, input_.channels),
                    scalar(1 / positions), share);
    operators_.copy(imagesOf(pass.inputGradient, pass.batch, input_),
                    imagesOf(aclnn::float32, shares, pass.batch, {1, 1, input_.channels}));
  }

 private:
  std::int64_t means(std::int64_t batch) const { return batch * input_.channels; }

  SampleShape input_;
  Scratch& scratch_;
  NpuOperators& operators_;
};

}  // namespace

std::unique_ptr<Layer> makeNpuMaxPool(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuMaxPool>(parts, operators);
}
std::unique_ptr<Layer> makeNpuAvgPool(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuAvgPool>(parts, operators);
}
std::unique_ptr<Layer> makeNpuGlobalAvgPool(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuGlobalAvgPool>(parts, operators);
}

}  // namespace slipstream
