// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/layers.h"

namespace slipstream {
namespace {

ValuesView matrixOf(ConstActivation values, std::int64_t rows) {
  return rowsOf(aclnnType(values.type()), values.bytes(), rows, std::ssize(values) / rows);
}

class NpuDense final : public Layer {
 public:
  NpuDense(const LayerConfig& parts, NpuOperators& operators)
      : inputs_(parts.input.elements()),
        outputs_(parts.output.elements()),
        fusedRelu_(parts.fused.relu),
        scratch_(parts.scratch),
        operators_(operators) {
    scratch_.reserve<NpuParts>([&](NpuParts& counted) { return list(counted); });
  }

  void forward(const ForwardPass& pass) override {
    const ValuesView output = matrixOf(pass.output, pass.batch);
    operators_.matrixProduct(matrixOf(pass.input, pass.batch), transposed(weights(pass.weights.weight)), output);
    if (!pass.weights.bias.empty()) operators_.add(output, vectorOf(pass.weights.bias), output);
    if (fusedRelu_) operators_.relu(output, output);
  }

  void backward(const BackwardPass& pass) override {
    const Work work = scratch_.place<NpuParts>([&](NpuParts& parts) { return list(parts); });
    const ValuesView gradient = matrixOf(pass.outputGradient, pass.batch);
    const ValuesView weightGradient = rowsOf(aclnn::float32, work.weights, outputs_, inputs_);
    operators_.matrixProduct(transposed(gradient), matrixOf(pass.input, pass.batch), weightGradient);
    operators_.deliver(weightGradient, weights(pass.gradients.weight), pass.accumulate);
    if (!pass.gradients.bias.empty()) {
      const ValuesView biasGradient = vectorOf(aclnn::float32, work.bias, outputs_);
      operators_.sum(gradient, {0}, false, biasGradient);
      operators_.deliver(biasGradient, vectorOf(pass.gradients.bias), pass.accumulate);
    }
    if (pass.inputGradient.empty()) return;
    operators_.matrixProduct(gradient, weights(pass.weights.weight), matrixOf(pass.inputGradient, pass.batch));
  }

 private:
  /// Memory of one call.
  struct Work {
    float* weights;  ///< their gradient
    float* bias;
  };
  Work list(NpuParts& parts) const { return {parts.take<float>(outputs_ * inputs_), parts.take<float>(outputs_)}; }
  ValuesView weights(std::span<const float> values) const {
    return rowsOf(aclnn::float32, values.data(), outputs_, inputs_);
  }

  std::int64_t inputs_;
  std::int64_t outputs_;
  bool fusedRelu_;
  Scratch& scratch_;
  NpuOperators& operators_;
};

}  // namespace

std::unique_ptr<Layer> makeNpuDense(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuDense>(parts, operators);
}

}  // namespace slipstream
