#include "engine/nn/layers/dense.h"

#include <algorithm>

#include "engine/base/processor_clones.h"
#include "engine/nn/layers/matrix_product.h"

namespace slipstream {
namespace {

SLIPSTREAM_PROCESSOR_CLONES void addBias(float* __restrict output, const float* __restrict bias, std::size_t rows,
                                         std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns; ++i) output[row * columns + i] += bias[i];
  }
}

SLIPSTREAM_PROCESSOR_CLONES void cutBelowZero(float* values, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) values[i] = values[i] < 0.0F ? 0.0F : values[i];
}

SLIPSTREAM_PROCESSOR_CLONES void addRows(const float* __restrict gradient, float* __restrict sums, std::size_t rows,
                                         std::size_t columns) {
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t i = 0; i < columns; ++i) sums[i] += gradient[row * columns + i];
  }
}

class Dense final : public Layer {
 public:
  explicit Dense(const LayerParts& parts)
      : inputs_(parts.input.elements()), outputs_(parts.output.elements()), fusedRelu_(parts.fused.relu) {}

  void forward(const ForwardPass& pass) override {
    multiply('N', 'T', pass.batch, outputs_, inputs_, pass.input.as<float>(), pass.weights.weight.data(), 0.0F,
             pass.output.as<float>());
    if (!pass.weights.bias.empty()) {
      addBias(pass.output.as<float>(), pass.weights.bias.data(), static_cast<std::size_t>(pass.batch),
              static_cast<std::size_t>(outputs_));
    }
    if (fusedRelu_) cutBelowZero(pass.output.as<float>(), pass.output.size());
  }

  void backward(const BackwardPass& pass) override {
    const float* gradient = pass.outputGradient.as<float>();
    multiply('T', 'N', outputs_, inputs_, pass.batch, gradient, pass.input.as<float>(), pass.accumulate ? 1.0F : 0.0F,
             pass.gradients.weight.data());
    if (auto bias = pass.gradients.bias; !bias.empty()) {
      if (!pass.accumulate) std::fill(bias.begin(), bias.end(), 0.0F);
      addRows(gradient, bias.data(), static_cast<std::size_t>(pass.batch), bias.size());
    }
    if (pass.inputGradient.empty()) return;
    multiply('N', 'N', pass.batch, inputs_, outputs_, gradient, pass.weights.weight.data(), 0.0F,
             pass.inputGradient.as<float>());
  }

 private:
  std::int64_t inputs_;
  std::int64_t outputs_;
  bool fusedRelu_;
};

}  // namespace

std::unique_ptr<Layer> makeDense(const LayerParts& parts) {
  return std::make_unique<Dense>(parts);
}

}  // namespace slipstream
