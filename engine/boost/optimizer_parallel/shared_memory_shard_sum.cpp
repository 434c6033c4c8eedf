// SPDX-License-Identifier: GPL-3.0-or-later
#include <utility>

#include "engine/boost/bucket_pipeline.h"
#include "engine/boost/optimizer_parallel/shard_sum.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

class SharedMemoryShardSum final : public ShardSum {
 public:
  explicit SharedMemoryShardSum(ShardSumParts parts)
      : parts_(std::move(parts)), pipeline_(parts_.communicator, startsOf(parts_.buckets), 1, [this](int bucket, int) {
          sumMyPart(bucket);
          return 1;
        }) {}

  void start(std::int64_t end, bool add) override {
    end_ = end;
    add_ = add;
  }
  void begin(int bucket) override { pipeline_.begin(bucket); }
  void progress() override { pipeline_.progress(); }
  bool completed(int bucket) const override { return pipeline_.completed(bucket); }
  void finish(std::int64_t end) override { pipeline_.finish(end); }
  void shareSums() override {}

 private:
  void sumMyPart(int bucket) {
    const Bucket& chosen = parts_.buckets[static_cast<std::size_t>(bucket)];
    for (int tensor = chosen.firstTensor; tensor < chosen.endTensor; ++tensor) {
      const Range work = parts_.map.work(tensor, parts_.map.rank());
      if (work.begin >= end_ || work.size() == 0) continue;
      const std::int64_t position = parts_.starts[static_cast<std::size_t>(bucket)] + work.begin - chosen.range.begin;
      const auto results = resultsOf(tensor, work);
      parts_.kernels.sum(parts_.queue, sourcesAt(position), results, static_cast<std::size_t>(work.size()),
                         parts_.scale, add_);
    }
  }

  std::vector<const float*> sourcesAt(std::int64_t position) const {
    std::vector<const float*> sources;
    for (const auto& gradients : parts_.gradients) sources.push_back(gradients.data() + position);
    return sources;
  }

  /// In the memory of all who keep it, this rank's first.
  std::vector<float*> resultsOf(int tensor, Range work) const {
    std::vector<float*> results;
    for (int step = 0; step < parts_.map.ranks(); ++step) {
      const int rank = (parts_.map.rank() + step) % parts_.map.ranks();
      if (!parts_.map.keepsTheSame(tensor, rank)) continue;
      const ShardedValues sums{parts_.sums[static_cast<std::size_t>(rank)], parts_.sumsWhole};
      results.push_back(sums.at(parts_.map, tensor, work).data());
    }
    return results;
  }

  ShardSumParts parts_;
  BucketPipeline pipeline_;
  std::int64_t end_ = 0;
  bool add_ = false;
};

}  // namespace

std::unique_ptr<ShardSum> makeSharedMemoryShardSum(ShardSumParts parts) {
  return std::make_unique<SharedMemoryShardSum>(std::move(parts));
}

}  // namespace slipstream
