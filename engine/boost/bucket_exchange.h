// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <utility>
#include <vector>

#include "engine/boost/exchange_clock.h"
#include "engine/comm/communicator.h"
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
  /// True where a begun bucket travels, or waits for other ranks, while this rank computes.
  virtual bool underWay(int bucket) const { return !completed(bucket); }
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

  /// Whether buckets begin before finish(), as soon as they are ready.
  bool beginsEarly() const { return exchange_ != nullptr && overlap_; }
  /// A step starts, whose gradients are those before `end` of the flat space.
  void start(std::int64_t end);
  void ready(Range range);
  void progress();
  bool begun(int bucket) const { return std::cmp_less(bucket, begun_); }
  /// Waits until a bucket that was begun is completed.
  void waitFor(int bucket, Communicator& communicator);
  /// Waits for the exchange; gives what it took of this step.
  CommunicationTime finish();

 private:
  bool isComplete(std::size_t bucket) const;
  bool anyUnderWay();

  std::vector<Bucket> buckets_;
  BucketExchange* exchange_;
  bool overlap_;
  std::vector<std::int64_t> missing_;  ///< elements a bucket still waits for
  std::size_t begun_ = 0;              ///< buckets before this one were begun: the order is every rank's
  std::size_t left_ = 0;               ///< begun buckets before this one are under way no more
  std::int64_t end_ = 0;
  ExchangeClock clock_;
};

}  // namespace slipstream
