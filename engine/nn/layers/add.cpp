#include "engine/nn/layers/add.h"

#include <limits>

#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

SLIPSTREAM_PROCESSOR_CLONES void sum(const float* first, const float* second, float* result, float lowest,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float value = first[i] + second[i];
    result[i] = value < lowest ? lowest : value;
  }
}

class Add final : public Layer {
 public:
  explicit Add(bool fusedRelu) : lowest_(fusedRelu ? 0.0F : -std::numeric_limits<float>::infinity()) {}

  void forward(const ForwardPass& pass) override {
    sum(pass.input.data(), pass.second.data(), pass.output.data(), lowest_, pass.output.size());
  }
  void backward(const BackwardPass&) override {}

 private:
  float lowest_;  ///< of an output: 0 with a fused ReLU
};

}  // namespace

std::unique_ptr<Layer> makeAdd(const LayerParts& parts) {
  return std::make_unique<Add>(parts.fusedRelu);
}

}  // namespace slipstream
