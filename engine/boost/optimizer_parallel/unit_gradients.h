// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/boost/bucket_exchange.h"
#include "engine/boost/optimizer_parallel/shard_sum.h"
#include "engine/nn/parameter_store.h"

namespace slipstream {

/// Gradients that live only until their unit (some whole layers) is exchanged, in slots that units take in turn. Each
/// backward pass goes through the units once; the sums of the passes of a step are added up where they are kept.
class UnitGradients final : public ParameterStore {
 public:
  /// What is referred to outlives this. `units` are in layout order, unit u is at starts[u] of `memory`, and may be
  /// written when unit u - slots has left.
  UnitGradients(Communicator& communicator, ShardSum& sum, std::vector<Bucket> units, std::vector<std::int64_t> starts,
                int slots, std::span<float> memory);

  std::span<float> acquire(Range range) override;
  void release(Range) override {}
  std::vector<PinnedRange> kept() override { return {}; }

  /// A step whose gradients are those before `end`.
  void start(std::int64_t end);
  void ready(Range range) { schedule_.ready(range); }
  void progress() { schedule_.progress(); }
  /// Waits until the step's last unit has left; gives what exchanging took.
  CommunicationTime finish();

 private:
  int unitAt(Range range) const;
  void startPass(bool add);

  Communicator& communicator_;
  ShardSum& sum_;
  std::vector<Bucket> units_;
  std::vector<std::int64_t> starts_;
  int slots_;
  std::span<float> memory_;
  BucketSchedule schedule_;
  std::int64_t end_ = 0;
  CommunicationTime time_;
};

}  // namespace slipstream
