// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <gtest/gtest.h>

#include "engine/analysis/rank_times.h"
#include "tests/support/sample_run.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

TEST(StepTiming, PartsAndRestOfOneRankAndOfAll) {
  test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = store->createRun(test::sampleRun());
  const int attempt = store->startAttempt(run, 0);
  for (int rank = 0; rank < 2; ++rank) {
    const auto value = [&](std::int64_t, std::size_t column) { return (rank + 1) * (column == 0 ? 10.0 : 2.0); };
    store->appendMetrics(
        run, attempt, rank, 1,
        test::block(0, 5, {"step_seconds", "compute_seconds", "communication_seconds", "data_seconds"}, value));
  }
  const StepTiming second = stepTiming(*store, run, 1);
  EXPECT_EQ(second.steps, 5);
  EXPECT_DOUBLE_EQ(second.whole, 100);
  EXPECT_DOUBLE_EQ(second.compute, 20);
  EXPECT_DOUBLE_EQ(second.communication, 20);
  EXPECT_DOUBLE_EQ(second.data, 20);
  EXPECT_DOUBLE_EQ(second.recording, 0);
  EXPECT_DOUBLE_EQ(second.other(), 40);
  EXPECT_DOUBLE_EQ(stepTiming(*store, run).whole, 75) << "the mean over ranks";
  store->appendMetrics(run, attempt, 0, 2,
                       test::block(5, 1, {"step_seconds"}, [](auto, auto) { return std::nan(""); }));
  EXPECT_EQ(stepTiming(*store, run, 0).steps, 5);
  EXPECT_DOUBLE_EQ(stepTiming(*store, run, 0).whole, 50);
}

TEST(StepTiming, TheOptimizersStepIsTakenOutOfComputingAndBetweenStepsStandsBesideThem) {
  test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = store->createRun(test::sampleRun());
  const int attempt = store->startAttempt(run, 0);
  const std::vector<std::string> names{"step_seconds", "compute_seconds", "update_seconds",
                                       "hidden_communication_seconds"};
  const std::vector<double> values{10, 8, 3, 2};
  store->appendMetrics(run, attempt, 0, 1, test::block(0, 4, names, [&](auto, std::size_t i) { return values[i]; }));
  for (const auto& [sequence, metric] : {std::pair{2, "checkpoint_seconds"}, {3, "snapshot_seconds"}}) {
    store->appendMetrics(run, attempt, 0, sequence, test::block(1, 2, {metric}, [](auto, auto) { return 5.0; }));
  }
  store->appendMetrics(run, attempt, 0, 4, test::block(3, 1, {"evaluation_seconds"}, [](auto, auto) { return 7.0; }));
  const StepTiming timing = stepTiming(*store, run, 0);
  EXPECT_DOUBLE_EQ(timing.compute, 20);
  EXPECT_DOUBLE_EQ(timing.optimizer, 12);
  EXPECT_DOUBLE_EQ(timing.hidden.value(), 8);
  EXPECT_DOUBLE_EQ(timing.checkpoints, 20);
  EXPECT_DOUBLE_EQ(timing.evaluation, 7);
  EXPECT_DOUBLE_EQ(timing.other(), 8) << "of the steps";
  EXPECT_DOUBLE_EQ(stepTiming(*store, run, 0, 2, 4).checkpoints, 10) << "after the steps that are asked for";
}

TEST(StepTiming, WhatAnOlderProgramDidNotMeasureIsNotZero) {
  test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const std::string run = store->createRun(test::sampleRun());
  const int attempt = store->startAttempt(run, 0);
  store->appendMetrics(run, attempt, 0, 1, test::block(0, 4, {"step_seconds"}, [](auto, auto) { return 1.0; }));
  EXPECT_FALSE(stepTiming(*store, run, 0).hidden.has_value());
}

TEST(StepTiming, OfARunWithoutAStepIsNothing) {
  test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  const StepTiming none = stepTiming(*store, store->createRun(test::sampleRun()));
  EXPECT_EQ(none.steps, 0);
  EXPECT_EQ(none.other(), 0);
}

}  // namespace
}  // namespace slipstream
