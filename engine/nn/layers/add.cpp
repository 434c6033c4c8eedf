// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/layers/add.h"

#include <limits>

#include "engine/base/chunks.h"
#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

template <class Value>
SLIPSTREAM_PROCESSOR_CLONES void sum(const Value* first, const Value* second, Value* result, float lowest,
                                     std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    const float value = toFloat(first[i]) + toFloat(second[i]);
    result[i] = fromFloat<Value>(value < lowest ? lowest : value);
  }
}

class Add final : public Layer {
 public:
  explicit Add(const FusedWork& fused)
      : added_(fused.sum), lowest_(fused.relu ? 0.0F : -std::numeric_limits<float>::infinity()) {}

  void forward(const ForwardPass& pass) override {
    if (added_) return;
    withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
      forEachChunk(pass.output.size(), [&](std::size_t at, std::size_t count) {
        sum(pass.input.as<Value>() + at, pass.second.as<Value>() + at, pass.output.as<Value>() + at, lowest_, count);
      });
    });
  }
  void backward(const BackwardPass&) override {}

 private:
  bool added_;    ///< by the batch norm before
  float lowest_;  ///< of an output: 0 with a fused ReLU
};

}  // namespace

std::unique_ptr<Layer> makeAdd(const LayerConfig& parts) {
  return std::make_unique<Add>(parts.fused);
}

}  // namespace slipstream
