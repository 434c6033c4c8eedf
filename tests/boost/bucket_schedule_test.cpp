// SPDX-License-Identifier: GPL-3.0-or-later
// What a step is told about its communication: exposed is what it waited for, hidden what it computed meanwhile.
#include <chrono>
#include <thread>

#include <gtest/gtest.h>

#include "engine/boost/bucket_exchange.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

constexpr std::chrono::milliseconds moment{5};
constexpr double momentSeconds = 0.005;

/// Begins at once, ends after so many looks; everything that it does takes a moment.
class SlowExchange final : public BucketExchange {
 public:
  explicit SlowExchange(int looks, bool travels = true) : looks_(looks), travels_(travels) {}
  void begin(int) override {
    std::this_thread::sleep_for(moment);
    begun_ = true;
  }
  void progress() override { --looks_; }
  bool completed(int) const override { return begun_ && looks_ <= 0; }
  bool underWay(int bucket) const override { return travels_ && !completed(bucket); }
  void finish(std::int64_t) override {
    std::this_thread::sleep_for(moment);
    looks_ = 0;
  }

 private:
  int looks_;
  bool travels_;
  bool begun_ = false;
};

const std::vector<Bucket> oneBucket{{{0, 10}, 0, 1}};

struct Step {
  CommunicationTime time;
  double whole = 0;
};

/// The gradient is ready, two layers are computed, the step ends.
Step stepWith(BucketExchange* exchange, bool overlap) {
  BucketSchedule schedule(oneBucket, exchange, overlap);
  const Stopwatch watch;
  schedule.start(10);
  schedule.ready({0, 10});
  for (int layer = 0; layer < 2; ++layer) {
    std::this_thread::sleep_for(moment);
    schedule.progress();
  }
  Step step{schedule.finish()};
  step.whole = watch.seconds();
  return step;
}

TEST(BucketSchedule, ComputingWhileABucketTravelsIsHiddenCommunication) {
  SlowExchange exchange(100);
  const Step step = stepWith(&exchange, true);
  EXPECT_GE(step.time.hidden, 2 * momentSeconds) << "both layers";
  EXPECT_GE(step.time.exposed, 2 * momentSeconds) << "beginning and ending";
  EXPECT_LE(step.time.hidden + step.time.exposed, step.whole) << "nothing counts twice";
}

TEST(BucketSchedule, WhatHasArrivedHidesNothingMore) {
  SlowExchange exchange(1);
  const Step step = stepWith(&exchange, true);
  EXPECT_GE(step.time.hidden, momentSeconds) << "the first layer";
  EXPECT_LE(step.time.hidden + step.time.exposed + momentSeconds, step.whole) << "the second layer is no communication";
}

TEST(BucketSchedule, NothingIsHiddenWhereNothingTravelsBetweenLayers) {
  SlowExchange notes(100, false);
  EXPECT_EQ(stepWith(&notes, true).time.hidden, 0);
  SlowExchange late(100);
  EXPECT_EQ(stepWith(&late, false).time.hidden, 0);
  const Step alone = stepWith(nullptr, true);
  EXPECT_EQ(alone.time.hidden, 0);
  EXPECT_EQ(alone.time.exposed, 0);
}

TEST(BucketSchedule, AfterWaitingForABucketNothingIsUnderWay) {
  SlowExchange exchange(3);
  BucketSchedule schedule(oneBucket, &exchange, true);
  const Stopwatch watch;
  schedule.start(10);
  schedule.ready({0, 10});
  test::spawnRanks(1, [&](Communicator& world) { schedule.waitFor(0, world); });
  EXPECT_TRUE(exchange.completed(0));
  std::this_thread::sleep_for(moment);
  const CommunicationTime time = schedule.finish();
  EXPECT_LE(time.hidden + time.exposed + momentSeconds, watch.seconds());
}

TEST(BucketSchedule, EveryStepIsMeasuredByItself) {
  SlowExchange exchange(100);
  BucketSchedule schedule(oneBucket, &exchange, true);
  for (int step = 0; step < 2; ++step) {
    const Stopwatch watch;
    schedule.start(10);
    schedule.ready({0, 10});
    const CommunicationTime time = schedule.finish();
    EXPECT_LE(time.exposed + time.hidden, watch.seconds());
  }
}

}  // namespace
}  // namespace slipstream
