// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/rank_watch.h"

#include <chrono>

#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"

namespace slipstream {
namespace {

Timeouts shortTimeouts() {
  Timeouts timeouts;
  timeouts.start = 0.2;
  timeouts.first = 2;
  timeouts.silence = 0.1;
  timeouts.progress = 0.2;
  timeouts.elsewhere = 0.5;
  return timeouts;
}

RankStatus aliveAt(std::uint64_t heartbeats, std::uint64_t sequence) {
  RankStatus status;
  status.pid = 1;
  status.heartbeats = heartbeats;
  status.phase = "step";
  status.collectiveSequence = sequence;
  return status;
}

/// A clock that the test moves: what these tests decide must not depend on how fast the machine is.
RankWatch::Clock::time_point clockTime;

/// Looks every 10 ms of that clock for `seconds`, with heartbeats where `beating`.
std::optional<FailedRank> watchFor(RankWatch& watch, std::vector<RankStatus> ranks, double seconds, bool beating,
                                   double medianStep = 0.01) {
  std::optional<FailedRank> failedRank;
  while (watch.now() < seconds && !failedRank) {
    for (RankStatus& rank : ranks) rank.heartbeats += beating ? 1 : 0;
    failedRank = watch.poll(ranks, medianStep, clockTime);
    clockTime += std::chrono::milliseconds{10};
  }
  return failedRank;
}

TEST(RankWatch, AProjectionMayTakeAsLongAsItsOwnLimit) {
  RunPlan plan;
  EXPECT_EQ(timeoutsFor(plan, shortTimeouts()).elsewhere, 0.5);
  plan.experiment.boost.setOn("dim_reduce", true);
  plan.experiment.boost.edit<DimReduceOptions>().timeout = 1200;
  EXPECT_GT(timeoutsFor(plan, shortTimeouts()).elsewhere, 1200);
  EXPECT_GT(timeoutsFor(plan, shortTimeouts()).first, 1200);
  EXPECT_EQ(timeoutsFor(plan, shortTimeouts()).progress, 0.2);
}

TEST(RankWatch, ARankThatNeverComesIsNamed) {
  RankWatch watch(2, shortTimeouts());
  const auto failedRank = watchFor(watch, {aliveAt(1, 0), RankStatus{}}, 1, true);
  ASSERT_TRUE(failedRank);
  EXPECT_EQ(failedRank->rank, 1);
}

TEST(RankWatch, ASilentRankIsNamed) {
  RankWatch watch(1, shortTimeouts());
  const auto failedRank = watchFor(watch, {aliveAt(1, 0)}, 1, false);
  ASSERT_TRUE(failedRank);
  EXPECT_NE(failedRank->why.find("silent"), std::string::npos);
}

TEST(RankWatch, TheRankThatIsBehindTheOthersHangs) {
  RankWatch watch(3, shortTimeouts());
  const auto failedRank = watchFor(watch, {aliveAt(1, 8), aliveAt(1, 7), aliveAt(1, 8)}, 1, true);
  ASSERT_TRUE(failedRank);
  EXPECT_EQ(failedRank->rank, 1);
}

TEST(RankWatch, NobodyIsNamedWhereAllWaitForEachOther) {
  RankWatch watch(2, shortTimeouts());
  const auto failedRank = watchFor(watch, {aliveAt(1, 7), aliveAt(1, 7)}, 1, true);
  ASSERT_TRUE(failedRank);
  EXPECT_EQ(failedRank->rank, -1);
}

TEST(RankWatch, LongStepsAreGivenTenMedians) {
  RankWatch watch(1, shortTimeouts());
  EXPECT_FALSE(watchFor(watch, {aliveAt(1, 7)}, 0.6, true, 0.1));
}

TEST(RankWatch, TheFirstStepMayBeLong) {
  RankWatch watch(1, shortTimeouts());
  EXPECT_FALSE(watchFor(watch, {aliveAt(1, 7)}, 0.6, true, 0)) << "nobody knows how long a step takes";
  const auto failedRank = watchFor(watch, {aliveAt(1, 7)}, 3, true, 0);
  ASSERT_TRUE(failedRank);
  EXPECT_NE(failedRank->why.find("hangs"), std::string::npos);
}

TEST(RankWatch, ARankInAnEarlierStepIsBehindWhateverItCounts) {
  RankWatch watch(2, shortTimeouts());
  std::vector<RankStatus> status{aliveAt(1, 2), aliveAt(1, 40)};
  status[0].step = 5;
  status[1].step = 4;
  const auto failedRank = watchFor(watch, status, 1, true);
  ASSERT_TRUE(failedRank);
  EXPECT_EQ(failedRank->rank, 1);
}

TEST(RankWatch, ASupervisorThatSleptDoesNotBlameTheRanks) {
  Timeouts timeouts = shortTimeouts();
  timeouts.silence = 0.4;
  timeouts.progress = 1;
  RankWatch watch(1, timeouts);
  EXPECT_FALSE(watch.poll({aliveAt(1, 7)}, 0.01, clockTime));
  clockTime += std::chrono::milliseconds{600};
  EXPECT_FALSE(watch.poll({aliveAt(1, 7)}, 0.01, clockTime));
  EXPECT_LE(watch.now(), 0.21);
}

TEST(RankWatch, RanksThatHaveFinishedMayBeSilent) {
  RankWatch watch(1, shortTimeouts());
  RankStatus finished = aliveAt(1, 7);
  finished.finished = true;
  finished.phase = "evaluation";
  EXPECT_FALSE(watchFor(watch, {finished}, 0.4, false));
}

}  // namespace
}  // namespace slipstream
