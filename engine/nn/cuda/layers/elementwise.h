// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/kernels/elements.h"
#include "engine/nn/cuda/layers/layer_ops.h"

namespace slipstream {

/// to = from, rounded to the nearest value of its type.
template <class Ops>
void convertOn(const Ops& ops, ConstActivation from, Activation to) {
  if (from.size() != to.size()) throw Error("values are converted to another number of values");
  ops.withType(from.type(), [&](auto fromType) {
    ops.withType(to.type(), [&](auto toType) {
      mapElements(ops, std::ssize(to), Same(), from.as<decltype(fromType)>(), to.as<decltype(toType)>());
    });
  });
}

/// sum = work(first, second), all of one type.
template <class Ops, class Work>
void zipOn(const Ops& ops, const Work& work, ConstActivation first, ConstActivation second, Activation sum) {
  ops.withType(sum.type(), [&](auto type) {
    using Value = decltype(type);
    zipElements(ops, std::ssize(sum), work, first.as<Value>(), second.as<Value>(), sum.as<Value>());
  });
}

template <class Ops>
class AddOn final : public Layer {
 public:
  AddOn(const LayerConfig& parts, const Ops& ops) : fused_(parts.fused), ops_(ops) {}

  void forward(const ForwardPass& pass) override {
    if (fused_.sum) return;
    if (fused_.relu) return zipOn(ops_, SumCutBelowZero(), pass.input, pass.second, pass.output);
    zipOn(ops_, Sum(), pass.input, pass.second, pass.output);
  }
  void backward(const BackwardPass&) override {}

 private:
  FusedWork fused_;
  Ops ops_;
};

template <class Ops>
class ReluOn final : public Layer {
 public:
  ReluOn(const LayerConfig& parts, const Ops& ops) : fused_(parts.fused), ops_(ops) {}

  void forward(const ForwardPass& pass) override {
    if (fused_.relu) return;
    ops_.withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
      mapElements(ops_, std::ssize(pass.output), CutBelowZero(), pass.input.as<Value>(), pass.output.as<Value>());
    });
  }
  void backward(const BackwardPass& pass) override {
    if (fused_.reluGradient || pass.inputGradient.empty()) return;
    zipOn(ops_, PassWherePositive(), pass.output, pass.outputGradient, pass.inputGradient);
  }

 private:
  FusedWork fused_;
  Ops ops_;
};

template <class Ops>
class FlattenOn final : public Layer {
 public:
  FlattenOn(const LayerConfig&, const Ops& ops) : ops_(ops) {}

  void forward(const ForwardPass& pass) override {
    if (pass.input.type() != pass.output.type()) convertOn(ops_, pass.input, pass.output);
  }
  void backward(const BackwardPass& pass) override {
    if (!pass.inputGradient.empty() && pass.inputGradient.type() != pass.outputGradient.type())
      convertOn(ops_, pass.outputGradient, pass.inputGradient);
  }

 private:
  Ops ops_;
};

}  // namespace slipstream
