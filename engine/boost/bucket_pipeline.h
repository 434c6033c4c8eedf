// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "engine/boost/bucket_exchange.h"
#include "engine/comm/communicator.h"

namespace slipstream {

/// Takes buckets through stages of work on memory that all ranks of a group see, without anybody waiting in between: a
/// rank does its share of a stage when it sees that every rank has ended the stage before. Each rank counts its ended
/// stages, bucket by bucket, in shared memory.
class BucketPipeline final : public BucketExchange {
 public:
  /// Does this rank's share of stage `stage` (from 1) of a bucket; all ranks have ended stage - 1 (0: they began).
  /// Returns the stage that is now ended: `stage`, or a later one where those between have nothing to do; every rank
  /// must return the same. An earlier one: `stage` waits for something else, and is asked to go on by a later
  /// progress().
  using Work = std::function<int(int bucket, int stage)>;

  /// Collective over `group`, whose ranks must share memory. `starts`: where each bucket starts in the flat space.
  BucketPipeline(Communicator& group, std::vector<std::int64_t> starts, int stages, Work work);

  void begin(int bucket) override;
  void progress() override;
  bool completed(int bucket) const override;
  void finish(std::int64_t end) override;

 private:
  bool everyoneEnded(int bucket, std::uint64_t stage) const;
  void publish(int bucket, std::uint64_t stage);

  Communicator& group_;
  std::vector<std::int64_t> starts_;
  std::unique_ptr<SharedBuffer> memory_;
  std::vector<std::span<std::uint64_t>> counters_;  ///< [rank][bucket]: ended stages since the start of the run
  std::uint64_t stages_;
  Work work_;
  std::uint64_t base_ = 0;            ///< what the counters held before this step
  std::vector<std::uint64_t> ended_;  ///< by this rank in this step, begin() included
};

}  // namespace slipstream
