// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/boost/bucket_exchange.h"
#include "engine/boost/optimizer_parallel/shard_map.h"
#include "engine/boost/step_slots.h"
#include "engine/comm/communicator.h"
#include "engine/device/device.h"
#include "engine/spec/host_layout.h"

namespace slipstream {

/// Reduce-scatter, bucket by bucket: every rank ends with scale * sums over the ranks of what it keeps: in rank order,
/// or where hosts are told apart the sums of the hosts in their order. The bits depend on neither buckets nor how ranks
/// exchange.
class ShardSum : public BucketExchange {
 public:
  /// Before a pass's first bucket. Tensors behind `end` are left out. `add`: to what the passes before have summed.
  virtual void start(std::int64_t end, bool add) = 0;
  /// After a step's last pass. Collective: ranks that keep the same tell each other what they summed.
  virtual void shareSums() = 0;
};

/// What sums are made of and where they go.
struct ShardSumParts {
  Communicator& communicator;
  const ShardMap& map;
  DeviceQueue& queue;
  const VectorKernels& kernels;
  std::vector<Bucket> buckets;
  std::vector<std::int64_t> starts;         ///< where each bucket starts in `gradients`
  std::vector<std::span<float>> gradients;  ///< every rank's in rank order where ranks share memory, else this rank's
  std::vector<std::span<float>> sums;       ///< the same
  HostLayout hosts;       ///< several: `gradients` are those of the ranks of this rank's host, `sums` this rank's
  bool sumsWhole = true;  ///< sums are of the whole flat space, not only of what a rank keeps
  float scale = 1;
};

/// Between `gradients` and `sums`, every rank's of parts.communicator where ranks share memory, else this rank's; with
/// `hosts` several as ShardSumParts has them. What an experiment says about means is in `parts`. Collective.
std::unique_ptr<ShardSum> makeShardSum(const UpdateContext& parts, const ShardMap& map, std::vector<Bucket> buckets,
                                       std::vector<std::int64_t> starts, std::vector<std::span<float>> gradients,
                                       std::vector<std::span<float>> sums, bool sumsWhole, const HostLayout& hosts);

/// By slices of shared memory; nothing but the sums is written. Collective.
std::unique_ptr<ShardSum> makeSharedMemoryShardSum(ShardSumParts parts);

/// Gives this rank's sums of the tensors before `end` to those who keep the same, and takes theirs. Collective.
void exchangeSums(const ShardSumParts& parts, std::int64_t end);

/// Between several hosts: each host adds its ranks' gradients in its own memory, and sends the sum once to who keeps
/// it, through receive buffers for two buckets. Writes to gradients, too. Collective.
std::unique_ptr<ShardSum> makeHostShardSum(ShardSumParts parts, Device& device);

/// By messages: slices go to those who sum them, through a receive buffer for one bucket.
std::unique_ptr<ShardSum> makeMessageShardSum(ShardSumParts parts, Device& device);

}  // namespace slipstream
