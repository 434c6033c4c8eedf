// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/sharding.h"

#include <algorithm>
#include <ranges>

namespace slipstream {
namespace {

constexpr std::int64_t valueBytes = 4;

std::int64_t partOf(std::int64_t elements, int parts) {
  return (elements + parts - 1) / parts;
}

/// Elements of each layer that has tensors, in backward order.
std::vector<GradientUnit> layersOf(const NetworkShape& shape) {
  std::vector<GradientUnit> layers;
  int layer = -1;
  for (const TensorSpec& tensor : shape.tensors | std::views::reverse) {
    if (layers.empty() || tensor.layer != layer) layers.emplace_back();
    layer = tensor.layer;
    ++layers.back().tensors;
    layers.back().elements += tensor.elements();
  }
  return layers;
}

}  // namespace

bool Sharding::cuts(std::int64_t elements) const {
  return shards > 1 && elements * valueBytes >= thresholdBytes;
}

std::int64_t Sharding::kept(std::int64_t elements) const {
  return cuts(elements) ? partOf(elements, shards) : elements;
}

Sharding shardingOf(const ParallelSpec& parallel) {
  const OptimizerParallelSpec& spec = parallel.optimizerParallel;
  return {spec.shardSize > 0 ? spec.shardSize : parallel.ranks, spec.thresholdKilobytes * 1024};
}

bool shardsGradients(const Experiment& experiment) {
  return experiment.parallel.optimizerParallel.level >= ShardingLevel::level2 && !experiment.boost.isOn("adasum");
}

bool shardsWeights(const Experiment& experiment) {
  return experiment.parallel.optimizerParallel.level == ShardingLevel::level3;
}

ShardingSummary summarize(const NetworkShape& shape, const Sharding& sharding) {
  ShardingSummary summary;
  for (const TensorSpec& tensor : shape.tensors) {
    const std::int64_t elements = tensor.elements();
    const std::int64_t kept = sharding.kept(elements);
    summary.kept += kept;
    ++(sharding.cuts(elements) ? summary.cutTensors : summary.wholeTensors);
    if (sharding.cuts(elements)) summary.padding += kept * sharding.shards - elements;
  }
  return summary;
}

std::vector<GradientUnit> gradientUnits(const NetworkShape& shape) {
  const std::int64_t room = largestLayer(shape);
  std::vector<GradientUnit> units;
  for (const GradientUnit& layer : layersOf(shape)) {
    if (units.empty() || units.back().elements + layer.elements > room) units.emplace_back();
    units.back().tensors += layer.tensors;
    units.back().elements += layer.elements;
  }
  return units;
}

std::vector<std::int64_t> gradientSlots(const std::vector<GradientUnit>& units, bool overlap) {
  std::vector<std::int64_t> slots(std::min<std::size_t>(overlap ? 2 : 1, units.size()));
  for (std::size_t u = 0; u < units.size(); ++u) {
    std::int64_t& slot = slots[u % slots.size()];
    slot = std::max(slot, units[u].elements);
  }
  return slots;
}

std::int64_t largestLayer(const NetworkShape& shape) {
  std::int64_t largest = 0;
  for (const GradientUnit& layer : layersOf(shape)) largest = std::max(largest, layer.elements);
  return largest;
}

std::int64_t receivedElements(const NetworkShape& shape, const Sharding& sharding, const std::vector<int>& groups,
                              int ranks) {
  return receivedElements(shape, sharding, groups, ranks, ranks - 1);
}

std::int64_t receivedElements(const NetworkShape& shape, const Sharding& sharding, const std::vector<int>& groups,
                              int ranks, int senders) {
  std::int64_t largest = 0;
  auto tensor = shape.tensors.rbegin();
  for (const int count : groups) {
    std::int64_t elements = 0;
    for (int i = 0; i < count; ++i, ++tensor) {
      const int holders = sharding.cuts(tensor->elements()) ? ranks / sharding.shards : ranks;
      elements += senders * partOf(sharding.kept(tensor->elements()), holders);
    }
    largest = std::max(largest, elements);
  }
  return largest;
}

}  // namespace slipstream
