#include "engine/boost/bucket_exchange.h"

#include <algorithm>
#include <utility>

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
  begun_ = 0;
  seconds_ = 0;
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
  if (!overlap_) return;
  const Stopwatch watch;
  for (; isComplete(begun_); ++begun_) exchange_->begin(static_cast<int>(begun_));
  seconds_ += watch.seconds();
}

void BucketSchedule::progress() {
  if (exchange_ == nullptr || begun_ == 0) return;
  const Stopwatch watch;
  exchange_->progress();
  seconds_ += watch.seconds();
}

double BucketSchedule::finish() {
  if (exchange_ == nullptr) return 0;
  const Stopwatch watch;
  exchange_->finish(end_);
  return seconds_ + watch.seconds();
}

bool BucketSchedule::isComplete(std::size_t bucket) const {
  return bucket < buckets_.size() && buckets_[bucket].range.begin < end_ && missing_[bucket] <= 0;
}

}  // namespace slipstream
