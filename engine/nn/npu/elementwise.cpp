// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/npu/layers.h"

namespace slipstream {
namespace {

class NpuRelu final : public Layer {
 public:
  NpuRelu(const LayerConfig& parts, NpuOperators& operators) : fused_(parts.fused), operators_(operators) {}

  void forward(const ForwardPass& pass) override {
    if (!fused_.relu) operators_.relu(vectorOf(pass.input), vectorOf(pass.output));
  }
  void backward(const BackwardPass& pass) override {
    if (fused_.reluGradient || pass.inputGradient.empty()) return;
    operators_.passWhereAbove(0, vectorOf(pass.outputGradient), vectorOf(pass.output), vectorOf(pass.inputGradient));
  }

 private:
  FusedWork fused_;
  NpuOperators& operators_;
};

class NpuAdd final : public Layer {
 public:
  NpuAdd(const LayerConfig& parts, NpuOperators& operators) : fused_(parts.fused), operators_(operators) {}

  void forward(const ForwardPass& pass) override {
    if (fused_.sum) return;
    const ValuesView output = vectorOf(pass.output);
    operators_.add(vectorOf(pass.input), vectorOf(pass.second), output);
    if (fused_.relu) operators_.relu(output, output);
  }
  void backward(const BackwardPass&) override {}

 private:
  FusedWork fused_;
  NpuOperators& operators_;
};

class NpuFlatten final : public Layer {
 public:
  explicit NpuFlatten(NpuOperators& operators) : operators_(operators) {}

  void forward(const ForwardPass& pass) override {
    if (pass.input.type() != pass.output.type()) operators_.copy(vectorOf(pass.output), vectorOf(pass.input));
  }
  void backward(const BackwardPass& pass) override {
    if (!pass.inputGradient.empty() && pass.inputGradient.type() != pass.outputGradient.type())
      operators_.copy(vectorOf(pass.inputGradient), vectorOf(pass.outputGradient));
  }

 private:
  NpuOperators& operators_;
};

}  // namespace

std::unique_ptr<Layer> makeNpuRelu(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuRelu>(parts, operators);
}
std::unique_ptr<Layer> makeNpuAdd(const LayerConfig& parts, NpuOperators& operators) {
  return std::make_unique<NpuAdd>(parts, operators);
}
std::unique_ptr<Layer> makeNpuFlatten(const LayerConfig&, NpuOperators& operators) {
  return std::make_unique<NpuFlatten>(operators);
}

}  // namespace slipstream
