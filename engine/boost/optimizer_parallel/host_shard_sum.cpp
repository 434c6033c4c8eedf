// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <utility>

#include "engine/boost/bucket_pipeline.h"
#include "engine/boost/optimizer_parallel/messages.h"
#include "engine/boost/optimizer_parallel/shard_sum.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// What a rank keeps, each other host sends once: the rank there whose index is the keeper's, modulo the host's ranks.
class HostShardSum final : public ShardSum {
 public:
  HostShardSum(ShardSumParts parts, Device& device)
      : parts_(std::move(parts)),
        rank_(parts_.map.rank()),
        onHost_(parts_.communicator.split(hostOf(rank_), rank_)),
        messages_(parts_.communicator.split(0, rank_)),
        pipeline_(*onHost_, startsOf(parts_.buckets), 2, [this](int bucket, int stage) {
          return (stage == 1 ? sent(bucket) : summed(bucket)) ? stage : stage - 1;
        }) {
    for (const Bucket& bucket : parts_.buckets) room_ = std::max(room_, roomFor(bucket));
    buffer_ = device.allocate(buffers * static_cast<std::size_t>(room_) * sizeof(float), MemoryCategory::gather);
  }

  void start(std::int64_t end, bool add) override {
    end_ = end;
    add_ = add;
  }
  void begin(int bucket) override { pipeline_.begin(bucket); }
  void progress() override { pipeline_.progress(); }
  bool completed(int bucket) const override { return pipeline_.completed(bucket); }
  void finish(std::int64_t end) override {
    pipeline_.finish(end);
    sent_ = summed_ = 0;
  }
  void shareSums() override { exchangeSums(parts_, end_); }

 private:
  static constexpr std::size_t buffers = 2;

  int hostOf(int rank) const { return parts_.hosts.hostOf(rank); }
  int otherHosts() const { return parts_.hosts.hosts() - 1; }
  /// The rank of `host` that sends its sums for `keeper`.
  int senderOf(int host, int keeper) const {
    const auto& ranks = parts_.hosts.ranksOf(host);
    return ranks[static_cast<std::size_t>(parts_.hosts.indexOnHost(keeper)) % ranks.size()];
  }

  /// The longest that any rank needs, so that all take the same.
  std::int64_t roomFor(const Bucket& bucket) const {
    std::int64_t room = 0;
    for (int tensor = bucket.firstTensor; tensor < bucket.endTensor; ++tensor) room += otherHosts() * longest(tensor);
    return room;
  }
  /// Of all ranks' parts of a tensor.
  std::int64_t longest(int tensor) const {
    const auto kept = parts_.map.local().tensors()[static_cast<std::size_t>(tensor)].range.size();
    return (kept + parts_.map.holders(tensor) - 1) / parts_.map.holders(tensor);
  }

  /// Calls use(tensor, place of what is received for it) for every tensor of a bucket that counts.
  template <class Use>
  void forTensors(int bucket, Use&& use) const {
    const Bucket& chosen = parts_.buckets[static_cast<std::size_t>(bucket)];
    std::int64_t place = room_ * (bucket % static_cast<int>(buffers));
    for (int tensor = chosen.firstTensor; tensor < chosen.endTensor; ++tensor) {
      if (parts_.map.layout().tensors()[static_cast<std::size_t>(tensor)].range.begin >= end_) return;
      use(tensor, place);
      place += otherHosts() * longest(tensor);
    }
  }

  /// Every rank of the host has begun the bucket. Adds what this rank sends, and starts sending.
  bool sent(int bucket) {
    if (bucket != sent_ || sent_ == summed_ + static_cast<int>(buffers)) return false;
    auto& requests = requests_[static_cast<std::size_t>(bucket) % buffers];
    forTensors(bucket, [&](int tensor, std::int64_t place) {
      Letters letters(parts_.map.ranks());
      for (int keeper = 0; keeper < parts_.map.ranks(); ++keeper) {
        if (hostOf(keeper) == hostOf(rank_) || senderOf(hostOf(rank_), keeper) != rank_) continue;
        letters.send(keeper, addHost(bucket, parts_.map.work(tensor, keeper)));
      }
      forOtherHosts(place, tensor,
                    [&](int host, std::span<float> received) { letters.receive(senderOf(host, rank_), received); });
      letters.startBetweenHosts(*messages_, longest(tensor), requests);
    });
    ++sent_;
    return true;
  }

  bool summed(int bucket) {
    auto& requests = requests_[static_cast<std::size_t>(bucket) % buffers];
    if (bucket != summed_ || !std::ranges::all_of(requests, [](const auto& one) { return one->done(); })) return false;
    requests.clear();
    forTensors(bucket, [&](int tensor, std::int64_t place) { addHosts(bucket, tensor, place); });
    ++summed_;
    return true;
  }

  /// The sum over this host's ranks, in this rank's memory: nobody else on the host reads or adds that part.
  std::span<float> addHost(int bucket, Range part) {
    std::vector<const float*> sources;
    for (const auto& gradients : parts_.gradients) sources.push_back(at(gradients, bucket, part).data());
    const auto mine = parts_.gradients[static_cast<std::size_t>(onHost_->rank())];
    const std::span<float> result = at(mine, bucket, part);
    float* const values = result.data();
    parts_.kernels.sum(parts_.queue, sources, std::span(&values, 1), result.size(), 1, false);
    return result;
  }

  void addHosts(int bucket, int tensor, std::int64_t place) {
    const Range work = parts_.map.work(tensor, rank_);
    if (work.size() == 0) return;
    std::vector<const float*> sources(static_cast<std::size_t>(parts_.hosts.hosts()));
    sources[static_cast<std::size_t>(hostOf(rank_))] = addHost(bucket, work).data();
    forOtherHosts(place, tensor, [&](int host, std::span<float> received) {
      sources[static_cast<std::size_t>(host)] = received.data();
    });
    float* const result = ShardedValues{parts_.sums.front(), parts_.sumsWhole}.at(parts_.map, tensor, work).data();
    parts_.kernels.sum(parts_.queue, sources, std::span(&result, 1), static_cast<std::size_t>(work.size()),
                       parts_.scale, add_);
  }

  /// Calls use(host, its version of what this rank keeps of a tensor) for each.
  template <class Use>
  void forOtherHosts(std::int64_t place, int tensor, Use&& use) const {
    const auto length = static_cast<std::size_t>(parts_.map.work(tensor, rank_).size());
    for (int host = 0; host < parts_.hosts.hosts(); ++host) {
      if (host == hostOf(rank_)) continue;
      use(host, buffer_->as<float>().subspan(static_cast<std::size_t>(place), length));
      place += longest(tensor);
    }
  }

  std::span<float> at(std::span<float> gradients, int bucket, Range part) const {
    const auto b = static_cast<std::size_t>(bucket);
    const std::int64_t begin = parts_.starts[b] + part.begin - parts_.buckets[b].range.begin;
    return gradients.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(part.size()));
  }

  ShardSumParts parts_;
  int rank_;
  std::unique_ptr<Communicator> onHost_;
  std::unique_ptr<Communicator> messages_;  ///< others of parts_.communicator may be started in between
  std::int64_t room_ = 0;
  std::unique_ptr<Buffer> buffer_;
  std::array<std::vector<std::unique_ptr<Request>>, buffers> requests_;
  std::int64_t end_ = 0;
  bool add_ = false;
  int sent_ = 0;    ///< buckets before this one have left
  int summed_ = 0;  ///< buckets before this one are summed
  BucketPipeline pipeline_;
};

}  // namespace

std::unique_ptr<ShardSum> makeHostShardSum(ShardSumParts parts, Device& device) {
  return std::make_unique<HostShardSum>(std::move(parts), device);
}

}  // namespace slipstream
