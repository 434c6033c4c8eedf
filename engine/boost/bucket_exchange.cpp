// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/bucket_exchange.h"

#include <algorithm>
#include <utility>

#include "engine/comm/waiting.h"

namespace slipstream {
namespace {

class Chain final : public BucketExchange {
 public:
  Chain(BucketExchange& first, BucketExchange& second, int buckets)
      : first_(first), second_(second), buckets_(buckets) {}

  void begin(int bucket) override { first_.begin(bucket); }
  void progress() override {
    first_.progress();
    handOver();
    second_.progress();
  }
  bool completed(int bucket) const override { return second_.completed(bucket); }
  bool underWay(int bucket) const override {
    return first_.completed(bucket) ? second_.underWay(bucket) : first_.underWay(bucket);
  }
  void finish(std::int64_t end) override {
    first_.finish(end);
    second_.finish(end);
    handedOver_ = 0;
  }

 private:
  /// In bucket order, so that every rank begins the second exchange alike.
  void handOver() {
    for (; handedOver_ < buckets_ && first_.completed(handedOver_); ++handedOver_) second_.begin(handedOver_);
  }

  BucketExchange& first_;
  BucketExchange& second_;
  int buckets_;
  int handedOver_ = 0;
};

}  // namespace

std::unique_ptr<BucketExchange> chain(BucketExchange& first, BucketExchange& second, int buckets) {
  return std::make_unique<Chain>(first, second, buckets);
}

BucketSchedule::BucketSchedule(std::vector<Bucket> buckets, BucketExchange* exchange, bool overlap)
    : buckets_(std::move(buckets)), exchange_(exchange), overlap_(overlap), missing_(buckets_.size()) {}

void BucketSchedule::start(std::int64_t end) {
  end_ = end;
  begun_ = left_ = 0;
  clock_.take();
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const Range& bucket = buckets_[b].range;
    missing_[b] = std::max<std::int64_t>(0, std::min(bucket.end, end) - bucket.begin);
  }
}

void BucketSchedule::ready(Range range) {
  if (exchange_ == nullptr) return;
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    const Range& bucket = buckets_[b].range;
    const std::int64_t common = std::min(range.end, bucket.end) - std::max(range.begin, bucket.begin);
    if (common > 0) missing_[b] -= common;
  }
  if (!overlap_ || !isComplete(begun_)) return;
  clock_.run([&] {
    for (; isComplete(begun_); ++begun_) exchange_->begin(static_cast<int>(begun_));
    return anyUnderWay();
  });
}

void BucketSchedule::progress() {
  if (exchange_ == nullptr || begun_ == 0) return;
  clock_.run([&] {
    exchange_->progress();
    return anyUnderWay();
  });
}

void BucketSchedule::waitFor(int bucket, Communicator& communicator) {
  if (exchange_->completed(bucket)) return;
  clock_.run([&] {
    waitUntil(communicator, [&] {
      exchange_->progress();
      return exchange_->completed(bucket);
    });
    return anyUnderWay();
  });
}

CommunicationTime BucketSchedule::finish() {
  if (exchange_ == nullptr) return {};
  clock_.run([&] {
    exchange_->finish(end_);
    return false;
  });
  return clock_.take();
}

bool BucketSchedule::anyUnderWay() {
  while (left_ < begun_ && !exchange_->underWay(static_cast<int>(left_))) ++left_;
  return left_ < begun_;
}

bool BucketSchedule::isComplete(std::size_t bucket) const {
  return bucket < buckets_.size() && buckets_[bucket].range.begin < end_ && missing_[bucket] <= 0;
}

}  // namespace slipstream
