// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/bucket_pipeline.h"

#include <algorithm>
#include <atomic>
#include <utility>

#include "engine/base/error.h"
#include "engine/comm/waiting.h"

namespace slipstream {

BucketPipeline::BucketPipeline(Communicator& group, std::vector<std::int64_t> starts, int stages, Work work)
    : group_(group),
      starts_(std::move(starts)),
      memory_(group.allocateShared(starts_.size() * sizeof(std::uint64_t))),
      stages_(static_cast<std::uint64_t>(stages)),
      work_(std::move(work)),
      ended_(starts_.size()) {
  if (!memory_)
    throw Error(
        "no shared memory is left for counting what ranks have exchanged: enlarge /dev/shm, or free some of it");
  for (int rank = 0; rank < group.size(); ++rank) {
    const auto bytes = memory_->part(rank);
    counters_.emplace_back(reinterpret_cast<std::uint64_t*>(bytes.data()), starts_.size());
  }
}

void BucketPipeline::begin(int bucket) {
  publish(bucket, 1);
  progress();
}

void BucketPipeline::progress() {
  for (std::size_t b = 0; b < ended_.size(); ++b) {
    const int bucket = static_cast<int>(b);
    while (ended_[b] > 0 && ended_[b] <= stages_ && everyoneEnded(bucket, ended_[b])) {
      const int stage = static_cast<int>(ended_[b]);
      const int ended = work_(bucket, stage);
      if (ended < stage) break;
      publish(bucket, static_cast<std::uint64_t>(ended) + 1);
    }
  }
}

bool BucketPipeline::completed(int bucket) const {
  return everyoneEnded(bucket, stages_ + 1);
}

void BucketPipeline::finish(std::int64_t end) {
  const auto wanted = static_cast<std::size_t>(std::ranges::lower_bound(starts_, end) - starts_.begin());
  for (std::size_t b = 0; b < wanted; ++b) {
    if (ended_[b] == 0) begin(static_cast<int>(b));
  }
  std::size_t first = 0;
  waitUntil(group_, [&] {
    progress();
    while (first < wanted && completed(static_cast<int>(first))) ++first;
    return first == wanted;
  });
  base_ += stages_ + 1;
  ended_.assign(ended_.size(), 0);
}

bool BucketPipeline::everyoneEnded(int bucket, std::uint64_t stage) const {
  for (const auto& rank : counters_) {
    std::uint64_t& counter = rank[static_cast<std::size_t>(bucket)];
    if (std::atomic_ref(counter).load(std::memory_order_acquire) < base_ + stage) return false;
  }
  return true;
}

void BucketPipeline::publish(int bucket, std::uint64_t stage) {
  const auto b = static_cast<std::size_t>(bucket);
  group_.countStages(stage - ended_[b]);
  ended_[b] = stage;
  std::uint64_t& counter = counters_[static_cast<std::size_t>(group_.rank())][b];
  std::atomic_ref(counter).store(base_ + stage, std::memory_order_release);
}

}  // namespace slipstream
