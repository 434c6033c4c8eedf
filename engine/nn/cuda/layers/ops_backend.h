// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/cuda/layers/batch_norm.h"
#include "engine/nn/cuda/layers/conv2d.h"
#include "engine/nn/cuda/layers/dense.h"
#include "engine/nn/cuda/layers/elementwise.h"
#include "engine/nn/cuda/layers/pools.h"
#include "engine/nn/network_backend.h"

namespace slipstream {

/// A network's backend on any device operations (layer_ops.h).
template <class Ops>
class OpsBackend : public NetworkBackend {
 public:
  explicit OpsBackend(const Ops& ops) : ops_(ops) {}

  Convolutions plannedConvolutions() const override {
    return ops_.convolutions().fuses() ? Convolutions::fused : Convolutions::plain;
  }
  std::unique_ptr<Layer> makeLayer(const LayerConfig& parts) override {
    switch (parts.spec.kind) {
      case LayerKind::dense:
        return std::make_unique<DenseOn<Ops>>(parts, ops_);
      case LayerKind::normalizedDense:
        return std::make_unique<NormalizedDenseOn<Ops>>(parts, ops_);
      case LayerKind::conv2d:
        return std::make_unique<Conv2dOn<Ops>>(parts, ops_);
      case LayerKind::maxPool:
        return std::make_unique<MaxPoolOn<Ops>>(parts, ops_);
      case LayerKind::avgPool:
        return std::make_unique<AvgPoolOn<Ops>>(parts, ops_);
      case LayerKind::globalAvgPool:
        return std::make_unique<GlobalAvgPoolOn<Ops>>(parts, ops_);
      case LayerKind::batchNorm:
        return std::make_unique<BatchNormOn<Ops>>(parts, ops_);
      case LayerKind::relu:
        return std::make_unique<ReluOn<Ops>>(parts, ops_);
      case LayerKind::add:
        return std::make_unique<AddOn<Ops>>(parts, ops_);
      case LayerKind::flatten:
        return std::make_unique<FlattenOn<Ops>>(parts, ops_);
    }
    throw Error("a layer of an unknown kind");
  }
  void convert(ConstActivation from, Activation to) override { convertOn(ops_, from, to); }
  void add(ConstActivation first, ConstActivation second, Activation sum) override {
    zipOn(ops_, Sum(), first, second, sum);
  }
  void addWherePositive(ConstActivation output, ConstActivation first, ConstActivation second,
                        Activation sum) override {
    ops_.withType(sum.type(), [&](auto type) {
      using Value = decltype(type);
      addPacksWherePositive(ops_, std::ssize(sum), output.as<Value>(), first.as<Value>(), second.as<Value>(),
                            sum.as<Value>());
    });
  }

 private:
  Ops ops_;
};

}  // namespace slipstream
