#include "engine/record/rank_times.h"

#include <gtest/gtest.h>

#include "tests/record/sample_run.h"
#include "tests/record/temporary_folder.h"

namespace slipstream {
namespace {

/// Steps 0 to 9 of four ranks take 10 s each; rank 2 waits 4 s of them for data from step 5 on.
std::string recordUneven(RunStore& store) {
  const std::string run = store.createRun(test::sampleRun());
  const int attempt = store.startAttempt(run, 0);
  for (int rank = 0; rank < 4; ++rank) {
    const auto value = [&](std::int64_t step, std::size_t column) {
      const bool late = rank == 2 && step >= 5;
      const double values[] = {10.0, 6.0, late ? 0.0 : 4.0, late ? 4.0 : 0.0};
      return values[column];
    };
    store.appendMetrics(
        run, attempt, rank, 1,
        test::block(0, 10, {"step_seconds", "compute_seconds", "communication_seconds", "data_seconds"}, value));
  }
  return run;
}

TEST(RankTimes, TheSlowestRankAndWhy) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = recordUneven(*store);
  const auto late = rankTimes(*store, run, 4, 5, 10);
  ASSERT_EQ(late.size(), 4);
  EXPECT_EQ(late[2].timing.steps, 5);
  EXPECT_DOUBLE_EQ(late[2].work(), 10);
  EXPECT_DOUBLE_EQ(late[0].work(), 6);
  const RankBalance balance = balanceOf(late);
  EXPECT_EQ(balance.slowest, 2);
  EXPECT_DOUBLE_EQ(balance.stragglerIndex, 10.0 / 6);
  EXPECT_EQ(balance.cause, Delay::data);
  EXPECT_DOUBLE_EQ(meanTiming(late).data, 5);
  EXPECT_DOUBLE_EQ(meanTiming(late).whole, 50);
}

TEST(RankTimes, OnlyTheChosenSteps) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = recordUneven(*store);
  EXPECT_DOUBLE_EQ(balanceOf(rankTimes(*store, run, 4, 0, 5)).stragglerIndex, 1);
  EXPECT_TRUE(rankTimes(*store, run, 4, 10, 20).empty());
}

}  // namespace
}  // namespace slipstream
