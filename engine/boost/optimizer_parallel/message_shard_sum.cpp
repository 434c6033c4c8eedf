// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <utility>

#include "engine/boost/optimizer_parallel/messages.h"
#include "engine/boost/optimizer_parallel/shard_sum.h"

namespace slipstream {
namespace {

/// One bucket is on its way at a time, so that one receive buffer is enough. A bucket leaves when it is begun, whatever
/// has arrived by then: other exchanges of the same communicator come between buckets, in one order on every rank.
class MessageShardSum final : public ShardSum {
 public:
  MessageShardSum(ShardSumParts parts, Device& device) : parts_(std::move(parts)) {
    std::int64_t room = 0;
    for (const Bucket& bucket : parts_.buckets) room = std::max(room, roomFor(bucket));
    buffer_ = device.allocate(static_cast<std::size_t>(room) * sizeof(float), MemoryCategory::gather);
    received_ = buffer_->as<float>();
  }

  void start(std::int64_t end, bool add) override {
    end_ = end;
    add_ = add;
  }
  void begin(int bucket) override {
    while (sent_ <= bucket) {
      sumWhatIsSent();
      send(sent_++);
    }
    progress();
  }
  void progress() override {
    if (std::ranges::all_of(requests_, [](const auto& request) { return request->done(); })) sumWhatIsSent();
  }
  bool completed(int bucket) const override { return bucket < summed_; }

  void finish(std::int64_t end) override {
    const auto starts = [](const Bucket& bucket) { return bucket.range.begin; };
    const auto first = std::ranges::lower_bound(parts_.buckets, end, {}, starts);
    const auto wanted = static_cast<int>(first - parts_.buckets.begin());
    if (sent_ < wanted) begin(wanted - 1);
    sumWhatIsSent();
    sent_ = summed_ = 0;
  }

  void shareSums() override { exchangeSums(parts_, end_); }

 private:
  ShardedValues mySums() const { return {parts_.sums.front(), parts_.sumsWhole}; }

  template <class Use>
  void forOthers(Use&& use) const {
    for (int rank = 0; rank < parts_.map.ranks(); ++rank) {
      if (rank != parts_.map.rank()) use(rank);
    }
  }

  /// The longest that any rank needs, so that all take the same.
  std::int64_t roomFor(const Bucket& bucket) const {
    const ShardMap& map = parts_.map;
    std::int64_t room = 0;
    for (int tensor = bucket.firstTensor; tensor < bucket.endTensor; ++tensor) {
      const auto kept = map.local().tensors()[static_cast<std::size_t>(tensor)].range.size();
      room += (map.ranks() - 1) * ((kept + map.holders(tensor) - 1) / map.holders(tensor));
    }
    return room;
  }

  std::span<float> gradient(int bucket, Range part) const {
    const auto b = static_cast<std::size_t>(bucket);
    const std::int64_t begin = parts_.starts[b] + part.begin - parts_.buckets[b].range.begin;
    return parts_.gradients.front().subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(part.size()));
  }

  /// Calls use(tensor, place of the tensor's received parts) for every tensor of a bucket that counts.
  template <class Use>
  void forTensors(int bucket, Use&& use) const {
    const Bucket& chosen = parts_.buckets[static_cast<std::size_t>(bucket)];
    std::size_t place = 0;
    for (int tensor = chosen.firstTensor; tensor < chosen.endTensor; ++tensor) {
      if (parts_.map.layout().tensors()[static_cast<std::size_t>(tensor)].range.begin >= end_) return;
      use(tensor, place);
      const auto length = static_cast<std::size_t>(parts_.map.work(tensor, parts_.map.rank()).size());
      place += length * static_cast<std::size_t>(parts_.map.ranks() - 1);
    }
  }

  void sumWhatIsSent() {
    if (summed_ == sent_) return;
    waitForAll(requests_);
    sum(summed_++);
  }

  void send(int bucket) {
    const ShardMap& map = parts_.map;
    forTensors(bucket, [&](int tensor, std::size_t place) {
      const auto length = static_cast<std::size_t>(map.work(tensor, map.rank()).size());
      Letters letters(map.ranks());
      forOthers([&](int rank) {
        letters.send(rank, gradient(bucket, map.work(tensor, rank)));
        letters.receive(rank, received_.subspan(place, length));
        place += length;
      });
      requests_.push_back(letters.start(parts_.communicator));
    });
  }

  void sum(int bucket) {
    const ShardMap& map = parts_.map;
    forTensors(bucket, [&](int tensor, std::size_t place) {
      const Range work = map.work(tensor, map.rank());
      if (work.size() == 0) return;
      const auto length = static_cast<std::size_t>(work.size());
      std::vector<const float*> sources;
      for (int rank = 0; rank < map.ranks(); ++rank) {
        const bool own = rank == map.rank();
        sources.push_back(own ? gradient(bucket, work).data() : received_.data() + place);
        if (!own) place += length;
      }
      float* const result = mySums().at(map, tensor, work).data();
      parts_.kernels.sum(parts_.queue, sources, std::span(&result, 1), length, parts_.scale, add_);
    });
  }

  ShardSumParts parts_;
  std::unique_ptr<Buffer> buffer_;
  std::span<float> received_;
  std::vector<std::unique_ptr<Request>> requests_;
  std::int64_t end_ = 0;
  bool add_ = false;
  int sent_ = 0;    ///< buckets before this one have left
  int summed_ = 0;  ///< the same, or one less
};

}  // namespace

std::unique_ptr<ShardSum> makeMessageShardSum(ShardSumParts parts, Device& device) {
  return std::make_unique<MessageShardSum>(std::move(parts), device);
}

}  // namespace slipstream
