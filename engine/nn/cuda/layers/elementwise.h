// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/kernels/elements.h"
#include "engine/nn/cuda/layers/machine_layers.h"

namespace slipstream {

/// to = from, rounded to the nearest value of its type.
template <class Machine>
void convertOn(const Machine& machine, ConstActivation from, Activation to) {
  if (from.size() != to.size()) throw Error("values are converted to another number of values");
  machine.withType(from.type(), [&](auto fromType) {
    machine.withType(to.type(), [&](auto toType) {
      mapElements(machine, std::ssize(to), Same(), from.as<decltype(fromType)>(), to.as<decltype(toType)>());
    });
  });
}

/// sum = work(first, second), all of one type.
template <class Machine, class Work>
void zipOn(const Machine& machine, const Work& work, ConstActivation first, ConstActivation second, Activation sum) {
  machine.withType(sum.type(), [&](auto type) {
    using Value = decltype(type);
    zipElements(machine, std::ssize(sum), work, first.as<Value>(), second.as<Value>(), sum.as<Value>());
  });
}

template <class Machine>
class AddOn final : public Layer {
 public:
  AddOn(const LayerParts& parts, const Machine& machine) : fused_(parts.fused), machine_(machine) {}

  void forward(const ForwardPass& pass) override {
    if (fused_.sum) return;
    if (fused_.relu) return zipOn(machine_, SumCutBelowZero(), pass.input, pass.second, pass.output);
    zipOn(machine_, Sum(), pass.input, pass.second, pass.output);
  }
  void backward(const BackwardPass&) override {}

 private:
  FusedWork fused_;
  Machine machine_;
};

template <class Machine>
class ReluOn final : public Layer {
 public:
  ReluOn(const LayerParts& parts, const Machine& machine) : fused_(parts.fused), machine_(machine) {}

  void forward(const ForwardPass& pass) override {
    if (fused_.relu) return;
    machine_.withType(pass.output.type(), [&](auto type) {
      using Value = decltype(type);
      mapElements(machine_, std::ssize(pass.output), CutBelowZero(), pass.input.as<Value>(), pass.output.as<Value>());
    });
  }
  void backward(const BackwardPass& pass) override {
    if (fused_.reluGradient || pass.inputGradient.empty()) return;
    zipOn(machine_, PassWherePositive(), pass.output, pass.outputGradient, pass.inputGradient);
  }

 private:
  FusedWork fused_;
  Machine machine_;
};

template <class Machine>
class FlattenOn final : public Layer {
 public:
  FlattenOn(const LayerParts&, const Machine& machine) : machine_(machine) {}

  void forward(const ForwardPass& pass) override {
    if (pass.input.type() != pass.output.type()) convertOn(machine_, pass.input, pass.output);
  }
  void backward(const BackwardPass& pass) override {
    if (!pass.inputGradient.empty() && pass.inputGradient.type() != pass.outputGradient.type())
      convertOn(machine_, pass.outputGradient, pass.inputGradient);
  }

 private:
  Machine machine_;
};

}  // namespace slipstream
