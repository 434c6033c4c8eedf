// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/optimizer_parallel/shard_map.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/vectors/kernels.h"
#include "engine/nn/parameter_store.h"

namespace slipstream {

/// Weights of which every rank keeps its part only: a layer's whole weights exist from acquire to release, in one
/// buffer. By shared memory a rank copies what the others keep and waits for nobody; otherwise all ranks acquire the
/// same ranges in the same order.
class GatheredWeights final : public ParameterStore {
 public:
  /// Collective. `kept` is laid out as map.local().
  GatheredWeights(Communicator& communicator, const ShardMap& map, RankMemory& kept, Device& device,
                  const VectorKernels& kernels);

  /// Whole tensors, together no more than the largest layer; one range at a time.
  std::span<float> acquire(Range range) override;
  void release(Range) override { held_ = false; }
  std::vector<PinnedRange> kept() override;

  /// Seconds spent on gathering since it was last asked.
  double takeSeconds();

 private:
  void copyFromRanks(int tensor, std::span<float> all);
  void exchange(int tensor, std::span<float> all, std::vector<std::unique_ptr<Request>>& requests);
  std::span<float> partOf(int rank, int tensor, std::span<float> all) const;

  Communicator& communicator_;
  const ShardMap& map_;
  RankMemory& kept_;
  DeviceQueue& queue_;
  const VectorKernels& kernels_;
  std::unique_ptr<Buffer> buffer_;
  std::span<float> gathered_;
  bool held_ = false;
  bool written_ = false;  ///< by ranks that filled in what they keep, since the last acquisition
  double seconds_ = 0;
};

}  // namespace slipstream
