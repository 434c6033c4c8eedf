// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/relu.h"

#include "engine/base/chunks.h"
#include "engine/base/processor_clones.h"
#include "engine/nn/masked.h"

namespace slipstream {
namespace {

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void cutBelowZero(const Value* input, Value* output, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float value = toFloat(input[i]);
    output[i] = fromFloat<Value>(value < 0.0F ? 0.0F : value);
  }
}

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void passWherePositive(const Value* output, const Value* outputGradient,
                                                   Value* inputGradient, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    inputGradient[i] = keptWhere(toFloat(output[i]) > 0.0F, outputGradient[i]);
  }
}

class Relu final : public Layer {
 public:
  explicit Relu(const FusedWork& fused) : fused_(fused) {}

  void forward(const ForwardPass& pass) override {
    if (fused_.relu) return;
    withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
      forEachChunk(pass.output.size(), [&](std::size_t at, std::size_t count) {
        cutBelowZero(pass.input.as<Value>() + at, pass.output.as<Value>() + at, count);
      });
    });
  }

  void backward(const BackwardPass& pass) override {
    if (fused_.reluGradient) return;
    withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
      forEachChunk(pass.inputGradient.size(), [&](std::size_t at, std::size_t count) {
        passWherePositive(pass.output.as<Value>() + at, pass.outputGradient.as<Value>() + at,
                          pass.inputGradient.as<Value>() + at, count);
      });
    });
  }

 private:
  FusedWork fused_;
};

}  // namespace

std::unique_ptr<Layer> makeRelu(const LayerConfig& parts) {
  return std::make_unique<Relu>(parts.fused);
}

}  // namespace slipstream
