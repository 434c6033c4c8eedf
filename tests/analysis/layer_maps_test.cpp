// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/layer_maps.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

TEST(LayerMaps, AColumnIsTheMeanOfItsSteps) {
  const Series series{{0, 1, 2, 3, 6}, {}, {1, 3, NAN, 5, 7}};
  const auto means = columnMeans(series, {0, 8, 4});
  ASSERT_EQ(means.size(), 4);
  EXPECT_DOUBLE_EQ(means[0], 2);
  EXPECT_DOUBLE_EQ(means[1], 5);
  EXPECT_TRUE(std::isnan(means[2]));
  EXPECT_DOUBLE_EQ(means[3], 7);
  EXPECT_DOUBLE_EQ(columnMeans(series, {1, 2, 1})[0], 3);
}

TEST(LayerMaps, TensorsStandInTheOrderOfTheNetwork) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  test::FinishedRun finished{.variant = "adasum"};
  finished.adasum = true;
  const std::string run = test::recordRun(*store, finished);
  const auto rows = orthogonalityMap(*store, run, test::planOf(finished), {0, 200, 10});
  std::vector<std::string> names;
  for (const HeatRow& row : rows) names.push_back(row.name);
  EXPECT_EQ(names, (std::vector<std::string>{"conv1.weight", "conv1.bias", "conv2.weight", "fc1.weight"}));
  EXPECT_EQ(rows[0].values.size(), 10);
}

/// Every second step of ten trains the last group only, in half the time.
TEST(LayerMaps, FrozenLayersAreGapsAndTimeIsSaved) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  RunPlan plan = test::smallPlan(1, 10);
  plan.experiment.boost.edit<GradFreezeOptions>().paramGroups = 2;
  const std::string run = store->createRun(test::sampleRun());
  const int attempt = store->startAttempt(run, 0);
  EXPECT_FALSE(freezeTimeline(*store, run, plan, {0, 10, 10}));
  store->appendMetrics(run, attempt, 0, 1,
                       test::block(0, 10, {"freeze_index", "step_seconds"}, [](std::int64_t step, std::size_t column) {
                         return column == 0 ? static_cast<double>(step % 2) : (step % 2 == 0 ? 2.0 : 1.0);
                       }));
  const auto timeline = freezeTimeline(*store, run, plan, {0, 10, 10});
  ASSERT_TRUE(timeline);
  ASSERT_EQ(timeline->rows.size(), 2);
  EXPECT_DOUBLE_EQ(timeline->rows[0].values[0], 1);
  EXPECT_DOUBLE_EQ(timeline->rows[0].values[1], 0);
  EXPECT_DOUBLE_EQ(timeline->rows[1].values[1], 1);
  EXPECT_DOUBLE_EQ(timeline->frozenSteps, 0.5);
  EXPECT_DOUBLE_EQ(timeline->savedTime, 0.25);
}

TEST(LayerMaps, SkippedUpdatesAndExplainedVariance) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = store->createRun(test::sampleRun());
  const int attempt = store->startAttempt(run, 0);
  EXPECT_TRUE(explainedVariance(*store, run).empty());
  EXPECT_TRUE(skippedSteps(*store, run).empty());
  store->appendMetrics(run, attempt, 0, 1, test::block(0, 6, {"skipped_updates"}, [](std::int64_t step, auto) {
                         return step >= 4 ? 2.0 : step >= 1 ? 1.0 : 0.0;
                       }));
  store->appendMetrics(
      run, attempt, 0, 2,
      test::block(
          6, 1, {"dim_reduce/explained_variance", "dim_reduce/explained_variance/1", "dim_reduce/explained_variance/2"},
          [](auto, std::size_t column) { return 0.9 - 0.3 * static_cast<double>(column); }));
  EXPECT_EQ(skippedSteps(*store, run), (std::vector<std::int64_t>{1, 4}));
  const auto shares = explainedVariance(*store, run);
  ASSERT_EQ(shares.size(), 2);
  EXPECT_DOUBLE_EQ(shares[0], 0.6);
}

}  // namespace
}  // namespace slipstream
