// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/padded_images.h"

namespace slipstream {
namespace {

class NpuConv2d final : public Layer {
 public:
  NpuConv2d(const LayerConfig& parts, NpuOperators& operators)
      : spec_(parts.spec),
        input_(parts.input),
        output_(parts.output),
        type_(parts.type),
        images_(parts.spec, parts.input),
        scratch_(parts.scratch),
        operators_(operators) {
    scratch_.reserve<NpuParts>([&](NpuParts& counted) { return list(counted, parts.maximumBatch); });
  }

  void forward(const ForwardPass& pass) override {
    const Work work = prepare(pass.batch);
    const ValuesView input = images_.read(operators_, pass.input, pass.batch, 0, work.padded);
    const ValuesView weights = converted(pass.weights.weight, work);
    operators_.give(aclnnLibrary().convolution, input, weights, biasOf(pass, work), images_.stride(), images_.padding(),
                    ones(), false, zeros(), std::int64_t{1}, imagesOf(pass.output, pass.batch, output_),
                    aclnn::keepsType);
  }

  void backward(const BackwardPass& pass) override {
    const Work work = prepare(pass.batch);
    const bool wantsInput = !pass.inputGradient.empty();
    const bool wantsBias = !pass.gradients.bias.empty();
    const ValuesView gradient = imagesOf(pass.outputGradient, pass.batch, output_);
    const ValuesView input = images_.read(operators_, pass.input, pass.batch, 0, work.padded);
    const ValuesView weights = converted(pass.weights.weight, work);
    const ValuesView weightGradient =
        kernelsOf(aclnnType(type_), work.weightGradient, output_.channels, spec_.kernel, input_.channels);
    const ValuesView biasGradient = vectorOf(aclnnType(type_), work.bias, output_.channels);
    operators_.give(
        aclnnLibrary().convolutionBackward, gradient, input, weights, numbers({output_.channels}), images_.stride(),
        images_.padding(), ones(), false, zeros(), 1, flags({wantsInput, true, wantsBias}), aclnn::keepsType,
        wantsInput ? describe(images_.written(pass.inputGradient, pass.batch, work.paddedGradient)) : TensorOfNpu(),
        weightGradient, wantsBias ? describe(biasGradient) : TensorOfNpu());
    operators_.deliver(weightGradient, stored(pass.gradients.weight), pass.accumulate);
    if (wantsBias) operators_.deliver(biasGradient, vectorOf(pass.gradients.bias), pass.accumulate);
    if (wantsInput) images_.deliver(operators_, pass.inputGradient, pass.batch, work.paddedGradient);
  }

 private:
  /// Memory of one call.
  struct Work {
    std::byte* weights;  ///< of the type of images
    std::byte* weightGradient;
    std::byte* bias;  ///< or its gradient
    std::byte* padded;
    std::byte* paddedGradient;
  };
  Work list(NpuParts& parts, std::int64_t batch) const {
    const std::int64_t weightBytes = output_.channels * spec_.kernel * spec_.kernel * input_.channels * bytesOf(type_);
    const std::int64_t pictureBytes = images_.bytes(batch, type_);
    return {parts.take<std::byte>(weightBytes), parts.take<std::byte>(weightBytes),
            parts.take<std::byte>(output_.channels * bytesOf(type_)), parts.take<std::byte>(pictureBytes),
            parts.take<std::byte>(pictureBytes)};
  }
  Work prepare(std::int64_t batch) {
    return scratch_.place<NpuParts>([&](NpuParts& parts) { return list(parts, batch); });
  }

  ValuesView stored(std::span<const float> weights) const {
    return kernelsOf(aclnn::float32, weights.data(), output_.channels, spec_.kernel, input_.channels);
  }
  /// The weights of the type of images.
  ValuesView converted(std::span<const float> weights, const Work& work) const {
    if (type_ == NumberType::float32) return stored(weights);
    ValuesView made = stored(weights);
    made.type = aclnnType(type_);
    made.data = work.weights;
    operators_.copy(made, stored(weights));
    return made;
  }
  TensorOfNpu biasOf(const ForwardPass& pass, const Work& work) const {
    if (pass.weights.bias.empty()) return {};
    if (type_ == NumberType::float32) return describe(vectorOf(pass.weights.bias));
    const ValuesView made = vectorOf(aclnnType(type_), work.bias, output_.channels);
    operators_.copy(made, vectorOf(pass.weights.bias));
    return describe(made);
  }

  static NumbersOfNpu ones() { return numbers({1, 1}); }
  static NumbersOfNpu zeros() { return numbers({0, 0}); }

  LayerSpec spec_;
  SampleShape input_;
  SampleShape output_;
  NumberType type_;
  PaddedImages images_;
  Scratch& scratch_;
  NpuOperators& operators_;
};

}  // namespace

std::unique_ptr<Layer> makeNpuConv2d(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuConv2d>(parts, operators);
}

}  // namespace slipstream
