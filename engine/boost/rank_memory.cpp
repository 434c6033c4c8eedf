// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/rank_memory.h"

#include "engine/comm/on_every_rank.h"

namespace slipstream {

RankMemory::RankMemory(Communicator& communicator, const HostLayout& hosts, Device& device, std::int64_t elements,
                       MemoryCategory category, bool share)
    : device_(device),
      category_(category),
      hosts_(share ? hosts : HostLayout()),
      wantsSharedMemory_(share && communicator.size() > 1),
      rank_(communicator.rank()) {
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(float);
  if (wantsSharedMemory_) shareOnHost(communicator, bytes);
  if (shared_) {
    device_.memory().add(category_, static_cast<std::int64_t>(bytes));
    return;
  }
  buffer_ = device.allocate(bytes, category);
  own_ = buffer_->as<float>();
  if (!hosts_.oneHost()) ofHost_ = {own_};
}

RankMemory::~RankMemory() {
  if (shared_) device_.memory().add(category_, -static_cast<std::int64_t>(own_.size_bytes()));
}

std::vector<std::span<float>> RankMemory::visible(const std::vector<int>& ranks) const {
  if (ofHost_.empty()) return {own_};
  std::vector<std::span<float>> values;
  for (const int rank : ranks) {
    if (!hosts_.oneHost() && hosts_.hostOf(rank) != hosts_.hostOf(rank_)) continue;
    values.push_back(ofHost_[static_cast<std::size_t>(hosts_.oneHost() ? rank : hosts_.indexOnHost(rank))]);
  }
  return values;
}

void RankMemory::shareOnHost(Communicator& communicator, std::size_t bytes) {
  const bool several = !hosts_.oneHost();
  const auto host = several ? communicator.split(hosts_.hostOf(rank_), rank_) : nullptr;
  Communicator& sharers = several ? *host : communicator;
  if (sharers.size() > 1) shared_ = sharers.allocateShared(bytes);
  const bool sees = shared_ != nullptr || sharers.size() == 1;
  if (several && !onEveryRank(sees, communicator)) {
    hosts_ = {};
    shared_.reset();
    return;
  }
  for (int sharer = 0; shared_ && sharer < sharers.size(); ++sharer) {
    ofHost_.emplace_back(reinterpret_cast<float*>(shared_->part(sharer).data()), bytes / sizeof(float));
  }
  if (shared_) own_ = ofHost_[static_cast<std::size_t>(sharers.rank())];
}

}  // namespace slipstream
