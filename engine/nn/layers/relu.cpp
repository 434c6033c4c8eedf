#include "engine/nn/layers/relu.h"

#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

SLIPSTREAM_PROCESSOR_CLONES void cutBelowZero(const float* input, float* output, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) output[i] = input[i] < 0.0F ? 0.0F : input[i];
}

SLIPSTREAM_PROCESSOR_CLONES void passWherePositive(const float* output, const float* outputGradient,
                                                   float* inputGradient, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) inputGradient[i] = output[i] > 0.0F ? outputGradient[i] : 0.0F;
}

class Relu final : public Layer {
 public:
  explicit Relu(bool applied) : applied_(applied) {}

  void forward(const ForwardPass& pass) override {
    if (applied_) return;
    cutBelowZero(pass.input.data(), pass.output.data(), pass.output.size());
  }

  void backward(const BackwardPass& pass) override {
    passWherePositive(pass.output.data(), pass.outputGradient.data(), pass.inputGradient.data(),
                      pass.inputGradient.size());
  }

 private:
  bool applied_;  ///< by the layer before
};

}  // namespace

std::unique_ptr<Layer> makeRelu(const LayerParts& parts) {
  return std::make_unique<Relu>(parts.fusedRelu);
}

}  // namespace slipstream
