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
        return make<DenseOn>(parts);
      case LayerKind::normalizedDense:
        return make<NormalizedDenseOn>(parts);
      case LayerKind::conv2d:
        return make<Conv2dOn>(parts);
      case LayerKind::maxPool:
        return make<MaxPoolOn>(parts);
      case LayerKind::avgPool:
        return make<AvgPoolOn>(parts);
      case LayerKind::globalAvgPool:
        return make<GlobalAvgPoolOn>(parts);
      case LayerKind::batchNorm:
        return make<BatchNormOn>(parts);
      case LayerKind::relu:
        return make<ReluOn>(parts);
      case LayerKind::add:
        return make<AddOn>(parts);
      case LayerKind::flatten:
        return make<FlattenOn>(parts);
      case LayerKind::external:
        throw Error("layer " + parts.spec.name + " is computed by the program that described it");
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
  template <template <class> class LayerOn>
  std::unique_ptr<Layer> make(const LayerConfig& parts) const {
    return std::make_unique<LayerOn<Ops>>(parts, ops_);
  }

  Ops ops_;
};

}  // namespace slipstream
