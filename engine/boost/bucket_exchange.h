#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/base/clock.h"
#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// Turns each bucket of a rank's gradients into something made of all ranks' gradients. Every rank begins the same
/// buckets in the same order; a bucket's memory is the exchange's from begin() until completed().
class BucketExchange {
 public:
  virtual ~BucketExchange() = default;
  virtual void begin(int bucket) = 0;
  /// Drives what was begun on; never waits.
  virtual void progress() = 0;
  virtual bool completed(int bucket) const = 0;
  /// Begins what was not begun and waits until all buckets that start before `end` of the flat space are completed;
  /// those behind it are left out (frozen). The next step starts afterwards.
  virtual void finish(std::int64_t end) = 0;
};

/// Hands every bucket from one exchange to the next; both must outlive the chain.
std::unique_ptr<BucketExchange> chain(BucketExchange& first, BucketExchange& second, int buckets);

/// Begins a bucket's exchange when the last of its tensors is ready, and measures what the step spends on it.
class BucketSchedule {
 public:
  /// `overlap` false: nothing begins before finish(). `exchange` may be null: one rank, nothing to do.
  BucketSchedule(std::vector<Bucket> buckets, BucketExchange* exchange, bool overlap);

  /// A step starts, whose gradients are those before `end` of the flat space.
  void start(std::int64_t end);
  void ready(Range range);
  void progress();
  bool begun(int bucket) const { return std::cmp_less(bucket, begun_); }
  /// Waits for the exchange. Gives the seconds of this step that this rank spent on exchanging instead of computing.
  double finish();

 private:
  bool isComplete(std::size_t bucket) const;

  std::vector<Bucket> buckets_;
  BucketExchange* exchange_;
  bool overlap_;
  std::vector<std::int64_t> missing_;  ///< elements a bucket still waits for
  std::size_t begun_ = 0;              ///< buckets before this one were begun: the order is every rank's
  std::int64_t end_ = 0;
  double seconds_ = 0;
};

}  // namespace slipstream
