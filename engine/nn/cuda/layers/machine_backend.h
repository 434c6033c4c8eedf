// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/layers/batch_norm.h"
#include "engine/nn/cuda/layers/conv2d.h"
#include "engine/nn/cuda/layers/dense.h"
#include "engine/nn/cuda/layers/elementwise.h"
#include "engine/nn/cuda/layers/pools.h"
#include "engine/nn/network_backend.h"

namespace slipstream {

/// A network's backend on any machine (machine_layers.h).
template <class Machine>
class MachineBackend : public NetworkBackend {
 public:
  explicit MachineBackend(const Machine& machine) : machine_(machine) {}

  Convolutions plannedConvolutions() const override {
    return machine_.convolutions().fuses() ? Convolutions::fused : Convolutions::plain;
  }
  std::unique_ptr<Layer> makeLayer(const LayerParts& parts) override {
    switch (parts.spec.kind) {
      case LayerKind::dense:
        return std::make_unique<DenseOn<Machine>>(parts, machine_);
      case LayerKind::normalizedDense:
        return std::make_unique<NormalizedDenseOn<Machine>>(parts, machine_);
      case LayerKind::conv2d:
        return std::make_unique<Conv2dOn<Machine>>(parts, machine_);
      case LayerKind::maxPool:
        return std::make_unique<MaxPoolOn<Machine>>(parts, machine_);
      case LayerKind::avgPool:
        return std::make_unique<AvgPoolOn<Machine>>(parts, machine_);
      case LayerKind::globalAvgPool:
        return std::make_unique<GlobalAvgPoolOn<Machine>>(parts, machine_);
      case LayerKind::batchNorm:
        return std::make_unique<BatchNormOn<Machine>>(parts, machine_);
      case LayerKind::relu:
        return std::make_unique<ReluOn<Machine>>(parts, machine_);
      case LayerKind::add:
        return std::make_unique<AddOn<Machine>>(parts, machine_);
      case LayerKind::flatten:
        return std::make_unique<FlattenOn<Machine>>(parts, machine_);
    }
    throw Error("a layer of an unknown kind");
  }
  void convert(ConstActivation from, Activation to) override { convertOn(machine_, from, to); }
  void add(ConstActivation first, ConstActivation second, Activation sum) override {
    zipOn(machine_, Sum(), first, second, sum);
  }
  void addWherePositive(ConstActivation output, ConstActivation first, ConstActivation second,
                        Activation sum) override {
    machine_.withType(sum.type(), [&](auto type) {
      using Value = decltype(type);
      addPacksWherePositive(machine_, std::ssize(sum), output.as<Value>(), first.as<Value>(), second.as<Value>(),
                            sum.as<Value>());
    });
  }

 private:
  Machine machine_;
};

}  // namespace slipstream
