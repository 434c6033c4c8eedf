// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/rank_memory.h"

namespace slipstream {

RankMemory::RankMemory(Communicator& communicator, Device& device, std::int64_t elements, MemoryCategory category,
                       bool share)
    : device_(device), category_(category), wantsSharedMemory_(share && communicator.size() > 1) {
  const std::size_t bytes = static_cast<std::size_t>(elements) * sizeof(float);
  if (wantsSharedMemory_) shared_ = communicator.allocateShared(bytes);
  if (!shared_) {
    buffer_ = device.allocate(bytes, category);
    own_ = buffer_->as<float>();
    return;
  }
  device_.memory().add(category_, static_cast<std::int64_t>(bytes));
  for (int rank = 0; rank < communicator.size(); ++rank) {
    all_.emplace_back(reinterpret_cast<float*>(shared_->part(rank).data()), static_cast<std::size_t>(elements));
  }
  own_ = all_[static_cast<std::size_t>(communicator.rank())];
}

RankMemory::~RankMemory() {
  if (shared_) device_.memory().add(category_, -static_cast<std::int64_t>(own_.size_bytes()));
}

}  // namespace slipstream
