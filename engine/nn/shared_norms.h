// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/nn/layers/shared_norm.h"
#include "engine/plan/network_memory.h"

namespace slipstream {

/// What the layers of one network share of its batch norms; outlives the layers.
class SharedNorms {
 public:
  SharedNorms(const NetworkShape& shape, const NetworkMemory& memory)
      : fused_(fusedOf(memory)), inputs_(shape.inputs), norms_(fused_.size()) {}

  LayerNorms of(std::size_t layer, LayerKind kind) {
    const FusedWork& work = fused_[layer];
    LayerNorms norms;
    if (kind == LayerKind::batchNorm) {
      if (work.statistics || work.deferred) norms.ofInput = &norms_[layer];
    } else if (kind == LayerKind::conv2d) {
      if (work.deferred) norms.ofInput = &norms_[before(before(layer))];
      if (work.statistics) norms.ofOutput = &norms_[readerOf(layer)];
    }
    return norms;
  }

 private:
  static std::vector<FusedWork> fusedOf(const NetworkMemory& memory) {
    std::vector<FusedWork> all;
    for (const LayerMemory& layer : memory.layers) all.push_back(layer.fused);
    return all;
  }
  std::size_t before(std::size_t layer) const { return static_cast<std::size_t>(inputs_[layer].from); }
  std::size_t readerOf(std::size_t layer) const {
    std::size_t reader = layer + 1;
    while (inputs_[reader].from != static_cast<int>(layer)) ++reader;
    return reader;
  }

  std::vector<FusedWork> fused_;
  std::vector<LayerInputs> inputs_;
  std::vector<SharedNorm> norms_;  ///< one a layer, used of batch norms only
};

}  // namespace slipstream
