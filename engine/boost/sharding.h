// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/spec/experiment.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// How tensors are cut for parallel.optimizer_parallel (MindSpore's hsdp). A tensor of at least the threshold's
/// bytes is cut, flat, into as many equal shards as a group has ranks, the last ones padded; smaller ones stay whole.
struct Sharding {
  int shards = 1;
  std::int64_t thresholdBytes = 0;

  bool cuts(std::int64_t elements) const;
  /// What a rank keeps of a tensor, padding included.
  std::int64_t kept(std::int64_t elements) const;
};

/// Of a planned experiment: its shard size is a number of ranks.
Sharding shardingOf(const ParallelSpec& parallel);

/// What of a rank's memory is cut. Adasum's tree needs every rank's whole gradient, which then stays.
bool shardsGradients(const Experiment& experiment);
bool shardsWeights(const Experiment& experiment);

/// What a sharding makes of one network.
struct ShardingSummary {
  int cutTensors = 0;
  int wholeTensors = 0;
  std::int64_t kept = 0;     ///< elements a rank, padding included
  std::int64_t padding = 0;  ///< elements that a group keeps beyond the tensors'
};
ShardingSummary summarize(const NetworkShape& shape, const Sharding& sharding);

/// Consecutive layers, in backward order, whose gradients leave together where only shards of them are kept.
struct GradientUnit {
  int tensors = 0;
  std::int64_t elements = 0;
  bool operator==(const GradientUnit&) const = default;
};

/// Whole layers, merged while they take no more room than the largest layer does alone.
std::vector<GradientUnit> gradientUnits(const NetworkShape& shape);

/// Elements of the transient buffers that gradients pass through, unit after unit in turn: two, so that one is
/// exchanged while the next is computed, or one where nothing overlaps.
std::vector<std::int64_t> gradientSlots(const std::vector<GradientUnit>& units, bool overlap);

/// Elements of the largest layer: of the buffer that weights are gathered into.
std::int64_t largestLayer(const NetworkShape& shape);

/// Elements that a rank receives for the largest of `groups` of tensors (numbers of tensors, backward order) where
/// ranks exchange gradients by messages.
std::int64_t receivedElements(const NetworkShape& shape, const Sharding& sharding, const std::vector<int>& groups,
                              int ranks);
/// The same from so many `senders` of what a rank keeps.
std::int64_t receivedElements(const NetworkShape& shape, const Sharding& sharding, const std::vector<int>& groups,
                              int ranks, int senders);

}  // namespace slipstream
