// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/nn/layers/shared_norm.h"
#include "engine/plan/network_memory.h"

namespace slipstream {

/// What the layers of one network share of its deferred batch norms; outlives the layers.
class SharedNorms {
 public:
  SharedNorms(const NetworkShape& shape, const NetworkMemory& memory)
      : deferred_(deferredOf(memory)), inputs_(shape.inputs), norms_(deferred_.size()) {}

  /// A batch norm's own; a convolution's is the one before the ReLU before it. Null where nothing is deferred.
  SharedNorm* of(std::size_t layer, LayerKind kind) {
    if (!deferred_[layer]) return nullptr;
    return &norms_[kind == LayerKind::conv2d ? before(before(layer)) : layer];
  }

 private:
  static std::vector<bool> deferredOf(const NetworkMemory& memory) {
    std::vector<bool> all;
    for (const LayerMemory& layer : memory.layers) all.push_back(layer.fused.deferred);
    return all;
  }
  std::size_t before(std::size_t layer) const { return static_cast<std::size_t>(inputs_[layer].from); }

  std::vector<bool> deferred_;
  std::vector<LayerInputs> inputs_;
  std::vector<SharedNorm> norms_;  ///< one a layer, used of batch norms only
};

}  // namespace slipstream
