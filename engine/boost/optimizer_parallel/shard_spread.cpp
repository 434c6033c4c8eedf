// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/shard_spread.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "engine/boost/optimizer_parallel/messages.h"

namespace slipstream {

ShardSpread::ShardSpread(Communicator& communicator, const ShardMap& map, std::vector<std::span<float>> values,
                         const HostLayout& hosts, bool whole, DeviceQueue& queue, const VectorKernels& kernels)
    : communicator_(communicator),
      map_(map),
      values_(std::move(values)),
      hosts_(hosts),
      shared_(values_.size() > 1 || !hosts.oneHost()),
      whole_(whole),
      queue_(queue),
      kernels_(kernels) {
  if (!shared_) return;
  if (!hosts_.oneHost()) onHost_ = communicator.split(hosts_.hostOf(map.rank()), map.rank());
  all_ = std::make_unique<BucketPipeline>(onHost_ ? *onHost_ : communicator, std::vector<std::int64_t>{0}, 0, nullptr);
}

bool ShardSpread::stepped(int tensor) {
  if (!whole_ || !map_.cut(tensor)) return !requests_.empty();
  for (int rank = 0; shared_ && rank < map_.ranks(); ++rank) {
    if (rank == map_.rank() || !map_.inMyGroup(rank) || !seesMemoryOf(rank)) continue;
    kernels_.copy(queue_, partOf(map_.rank(), tensor, map_.rank()), partOf(rank, tensor, map_.rank()));
  }
  if (!shared_ || !hosts_.oneHost()) send(tensor);
  return !requests_.empty();
}

bool ShardSpread::finish() {
  waitForAll(requests_);
  copyReceived();
  if (!all_) return false;
  all_->begin(0);
  all_->finish(1);
  return false;
}

/// To every rank of the group; where hosts are told apart, to one on each other host.
void ShardSpread::send(int tensor) {
  Letters letters(map_.ranks());
  for (int rank = 0; rank < map_.ranks(); ++rank) {
    if (seesMemoryOf(rank) || !map_.inMyGroup(rank)) continue;
    const bool several = !hosts_.oneHost();
    if (!several || receiverOn(hosts_.hostOf(rank), map_.rank()) == rank)
      letters.send(rank, partOf(map_.rank(), tensor, map_.rank()));
    if (!several || receiverOn(hosts_.hostOf(map_.rank()), rank) == map_.rank())
      letters.receive(rank, partOf(map_.rank(), tensor, rank));
  }
  if (hosts_.oneHost()) return requests_.push_back(letters.start(communicator_));
  letters.startBetweenHosts(communicator_, map_.local().tensors()[static_cast<std::size_t>(tensor)].range.size(),
                            requests_);
  received_.push_back(tensor);
}

/// Hands what came from other hosts to those of this rank's group that are on its host.
void ShardSpread::copyReceived() {
  for (const int tensor : std::exchange(received_, {})) {
    for (int keeper = 0; keeper < map_.ranks(); ++keeper) {
      if (!map_.inMyGroup(keeper) || seesMemoryOf(keeper)) continue;
      if (receiverOn(hosts_.hostOf(map_.rank()), keeper) != map_.rank()) continue;
      for (const int rank : groupOn(hosts_.hostOf(map_.rank()))) {
        if (rank == map_.rank()) continue;
        kernels_.copy(queue_, partOf(map_.rank(), tensor, keeper), partOf(rank, tensor, keeper));
      }
    }
  }
}

bool ShardSpread::seesMemoryOf(int rank) const {
  if (rank == map_.rank()) return true;
  return shared_ && (hosts_.oneHost() || hosts_.hostOf(rank) == hosts_.hostOf(map_.rank()));
}

std::span<float> ShardSpread::memoryOf(int rank) const {
  if (!shared_) return values_.front();
  return values_[static_cast<std::size_t>(hosts_.oneHost() ? rank : hosts_.indexOnHost(rank))];
}

/// What `keeper` keeps of a tensor, in the memory of a rank.
std::span<float> ShardSpread::partOf(int memoryOfRank, int tensor, int keeper) const {
  return ShardedValues{memoryOf(memoryOfRank), true}.at(map_, tensor, map_.kept(tensor, keeper));
}

/// The ranks of this rank's group on a host.
std::vector<int> ShardSpread::groupOn(int host) const {
  std::vector<int> ranks;
  std::ranges::copy_if(hosts_.ranksOf(host), std::back_inserter(ranks), [&](int rank) { return map_.inMyGroup(rank); });
  return ranks;
}

/// Who receives, on a host, what a rank of this group keeps.
int ShardSpread::receiverOn(int host, int keeper) const {
  const auto ranks = groupOn(host);
  return ranks[static_cast<std::size_t>(hosts_.indexOnHost(keeper)) % ranks.size()];
}

}  // namespace slipstream
