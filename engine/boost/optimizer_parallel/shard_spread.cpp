// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/shard_spread.h"

#include <algorithm>
#include <utility>

#include "engine/boost/optimizer_parallel/messages.h"

namespace slipstream {

ShardSpread::ShardSpread(Communicator& communicator, const ShardMap& map, std::vector<std::span<float>> values,
                         bool whole, DeviceQueue& queue, const VectorKernels& kernels)
    : communicator_(communicator),
      map_(map),
      values_(std::move(values)),
      shared_(values_.size() > 1),
      whole_(whole),
      queue_(queue),
      kernels_(kernels) {
  if (shared_) all_ = std::make_unique<BucketPipeline>(communicator, std::vector<std::int64_t>{0}, 0, nullptr);
}

bool ShardSpread::stepped(int tensor) {
  if (!whole_ || !map_.cut(tensor)) return !requests_.empty();
  const auto partOf = [&](std::span<float> memory, int rank) {
    return ShardedValues{memory, true}.at(map_, tensor, map_.kept(tensor, rank));
  };
  const auto own = values_[shared_ ? static_cast<std::size_t>(map_.rank()) : 0];
  const auto mine = partOf(own, map_.rank());
  Letters letters(map_.ranks());
  for (int rank = 0; rank < map_.ranks(); ++rank) {
    if (rank == map_.rank() || !map_.inMyGroup(rank)) continue;
    if (shared_) {
      kernels_.copy(queue_, mine, partOf(values_[static_cast<std::size_t>(rank)], map_.rank()));
      continue;
    }
    letters.send(rank, mine);
    letters.receive(rank, partOf(own, rank));
  }
  if (!shared_) requests_.push_back(letters.start(communicator_));
  return !requests_.empty();
}

bool ShardSpread::finish() {
  waitForAll(requests_);
  if (!all_) return false;
  all_->begin(0);
  all_->finish(1);
  return false;
}

}  // namespace slipstream
