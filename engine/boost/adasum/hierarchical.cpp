// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/hierarchical.h"

#include <algorithm>
#include <map>
#include <utility>

#include "engine/boost/adasum/exchange.h"
#include "engine/boost/adasum/message_buckets.h"
#include "engine/boost/bucket_pipeline.h"

namespace slipstream {
namespace {

/// The leaders' reduction, made known to the other ranks of each server.
class HierarchicalAdasum final : public AdasumReduction {
 public:
  HierarchicalAdasum(std::unique_ptr<Communicator> server, std::unique_ptr<Communicator> leaders,
                     std::unique_ptr<AdasumReduction> leader, std::vector<std::span<float>> values, AdasumShape shape)
      : server_(std::move(server)),
        leaders_(std::move(leaders)),
        leader_(std::move(leader)),
        values_(std::move(values)),
        shape_(std::move(shape)),
        statistics_(shape_.tensors.size()) {
    if (values_.size() < 2) return;
    const auto copy = [this](int bucket, int stage) {
      copyFromLeader(shape_.buckets[static_cast<std::size_t>(bucket)].range);
      return stage;
    };
    inServer_ = std::make_unique<BucketPipeline>(*server_, startsOf(shape_.buckets), 1, copy);
  }

  void begin(int bucket) override {
    if (leader_) leader_->begin(bucket);
  }
  void progress() override {
    if (leader_) leader_->progress();
  }
  bool completed(int) const override { return false; }
  bool underWay(int bucket) const override { return leader_ && leader_->underWay(bucket); }
  void finish(std::int64_t end) override {
    if (leader_) {
      leader_->finish(end);
      std::ranges::copy(leader_->statistics(), statistics_.begin());
    }
    if (inServer_) {
      inServer_->finish(end);
    } else {
      broadcast(end);
    }
    server_->broadcast(std::as_writable_bytes(std::span(statistics_)), 0);
  }
  std::span<const TensorStatistics> statistics() const override { return statistics_; }
  std::size_t ownBytes() const override { return leader_ ? leader_->ownBytes() : 0; }

 private:
  static std::span<float> part(std::span<float> values, Range range) {
    return values.subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
  }
  void broadcast(std::int64_t end) {
    for (const Bucket& bucket : shape_.buckets) {
      if (bucket.range.begin >= end) break;
      server_->broadcast(std::as_writable_bytes(part(values_.front(), bucket.range)), 0);
    }
  }
  void copyFromLeader(Range range) {
    if (server_->rank() == 0) return;
    std::ranges::copy(part(values_.front(), range),
                      part(values_[static_cast<std::size_t>(server_->rank())], range).begin());
  }

  std::unique_ptr<Communicator> server_;
  std::unique_ptr<Communicator> leaders_;  ///< outlives leader_
  std::unique_ptr<AdasumReduction> leader_;
  std::vector<std::span<float>> values_;
  AdasumShape shape_;
  std::vector<TensorStatistics> statistics_;
  std::unique_ptr<BucketPipeline> inServer_;  ///< where its ranks share memory
};

}  // namespace

bool AdasumGroups::severalRanksALeaf() const {
  return std::ranges::any_of(ranksOfLeaf, [](const auto& ranks) { return ranks.size() > 1; });
}

std::vector<int> AdasumGroups::leaders() const {
  std::vector<int> ranks;
  for (const auto& leaf : ranksOfLeaf) ranks.push_back(leaf.front());
  return ranks;
}

AdasumGroups adasumGroups(AdasumScope scope, const std::vector<int>& serverOfRank, int rank) {
  std::map<int, std::vector<int>> ranksOfServer;
  for (std::size_t r = 0; r < serverOfRank.size(); ++r) ranksOfServer[serverOfRank[r]].push_back(static_cast<int>(r));
  const bool byServer = scope == AdasumScope::servers || (scope == AdasumScope::automatic && ranksOfServer.size() > 1);
  AdasumGroups groups;
  if (byServer) {
    for (auto& [server, ranks] : ranksOfServer) groups.ranksOfLeaf.push_back(std::move(ranks));
  } else {
    for (std::size_t r = 0; r < serverOfRank.size(); ++r) groups.ranksOfLeaf.push_back({static_cast<int>(r)});
  }
  for (std::size_t leaf = 0; leaf < groups.ranksOfLeaf.size(); ++leaf) {
    if (std::ranges::count(groups.ranksOfLeaf[leaf], rank) > 0) groups.leafOfMine = static_cast<int>(leaf);
  }
  return groups;
}

std::unique_ptr<AdasumReduction> makeHierarchicalAdasum(std::unique_ptr<Communicator> server,
                                                        std::unique_ptr<Communicator> leaders,
                                                        std::unique_ptr<AdasumReduction> leader,
                                                        std::vector<std::span<float>> values, AdasumShape shape) {
  return std::make_unique<HierarchicalAdasum>(std::move(server), std::move(leaders), std::move(leader),
                                              std::move(values), std::move(shape));
}

}  // namespace slipstream
