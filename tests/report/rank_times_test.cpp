// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/rank_times.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/report/rank_times_text.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

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

TEST(RankTimes, AsATableOfMillisecondsAStep) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const auto times = rankTimes(*store, recordUneven(*store), 4);
  EXPECT_EQ(rankTimesText(times),
            "ms a step       step   compute  communication      data  recording  other\n"
            "rank 0     10000.000  6000.000       4000.000     0.000      0.000  0.000\n"
            "rank 1     10000.000  6000.000       4000.000     0.000      0.000  0.000\n"
            "rank 2     10000.000  6000.000       2000.000  2000.000      0.000  0.000\n"
            "rank 3     10000.000  6000.000       4000.000     0.000      0.000  0.000\n"
            "mean       10000.000  6000.000       3500.000   500.000      0.000  0.000\n"
            "rank 2 sets the pace: 1.33 times the median work, it waits for data\n");
  EXPECT_EQ(rankTimesText({}), "");
  EXPECT_THAT(rankTimesText({times[0], times[1]}), testing::HasSubstr("no rank is clearly the slowest"));
  EXPECT_THAT(rankTimesText({times[0]}),
              testing::Not(testing::AnyOf(testing::HasSubstr("mean"), testing::HasSubstr("clearly"))));
}

TEST(RankTimes, TheMeanHidesWhatNotEveryRankMeasured) {
  RankTime first{0, {.steps = 1, .whole = 1}};
  RankTime second = first;
  first.timing.hidden = 0.5;
  EXPECT_FALSE(meanTiming({first, second}).hidden.has_value());
  second.timing.hidden = 0.25;
  EXPECT_DOUBLE_EQ(meanTiming({first, second}).hidden.value(), 0.375);
  first.timing.optimizer = 0.25;
  first.timing.checkpoints = 1.5;
  EXPECT_EQ(rankTimesText({first}),
            "ms a step      step  compute  optimizer  communication   data  recording    other   hidden\n"
            "rank 0     1000.000    0.000    250.000          0.000  0.000      0.000  750.000  500.000\n"
            "hidden: communication under way while the rank computed, part of compute and optimizer\n"
            "between steps: checkpoints 1.50 s, evaluation 0.00 s\n");
}

TEST(RankTimes, AnOptimizerThatTakesLongerIsNamed) {
  std::vector<RankTime> ranks;
  for (int rank = 0; rank < 3; ++rank) ranks.push_back({rank, {.steps = 1, .whole = 4, .compute = 2, .optimizer = 1}});
  ranks[1].timing.optimizer = 3;
  ranks[1].timing.whole = 6;
  EXPECT_EQ(balanceOf(ranks).slowest, 1);
  EXPECT_EQ(balanceOf(ranks).cause, Delay::optimizer);
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
