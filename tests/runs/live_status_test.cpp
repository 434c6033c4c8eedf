// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/live_status.h"

#include <gtest/gtest.h>

#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using test::FinishedRun;

TEST(LiveStatus, CountsRanksThatKeepUpAndEstimatesTheRest) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  NewRun asked = test::sampleRun();
  asked.ranks = 3;
  asked.group = "launch";
  asked.planText = toJsonText(test::planOf(FinishedRun{"mean", 1, 0.9, 2000, 3}));
  asked.experimentText = R"({"variants": [{}, {}]})";
  const std::string id = store->createRun(asked);
  const int attempt = store->startAttempt(id, 0);
  const auto one = [](std::int64_t, std::size_t) { return 1.0; };
  store->appendMetrics(id, attempt, 0, 1, test::block(0, 1500, {"loss"}, one));  // folded into chunks
  store->appendMetrics(id, attempt, 1, 1, test::block(0, 1500, {"loss"}, one));
  store->appendMetrics(id, attempt, 2, 1, test::block(0, 100, {"loss"}, one));  // 7 s behind
  const LiveStatus status = liveStatus(*store, *store->find(id));
  EXPECT_EQ(status.steps, 1500);
  EXPECT_EQ(status.totalSteps, 2000);
  EXPECT_EQ(status.reporting, (std::vector<bool>{true, true, false}));
  ASSERT_TRUE(status.secondsLeft);
  EXPECT_NEAR(*status.secondsLeft, 500 * 0.005, 1e-6);
  EXPECT_GT(status.lagSeconds, 1000);  // the sample lies in the past
  EXPECT_EQ(status.runOfLaunch, 1);
  EXPECT_EQ(status.runsOfLaunch, 2);
}

/// Half of the steps of the stage that trains: half of one pace and half of another, and nothing of a stage before.
TEST(LiveStatus, TheTimeLeftIsOfThePaceOfTheStage) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  NewRun asked = test::sampleRun();
  asked.ranks = 1;
  const auto secondsLeft = [&](const RunPlan& plan) {
    asked.planText = toJsonText(plan);
    const std::string id = store->createRun(asked);
    MetricBlock block = test::block(0, 800, {"loss"}, [](std::int64_t, std::size_t) { return 1.0; });
    constexpr std::int64_t slow = 10'000'000;  // 10 ms a step from 600 on, twice as long as before
    for (std::size_t i = 600; i < 800; ++i) block.wallNanoseconds[i] = block.wallNanoseconds[i - 1] + slow;
    store->appendMetrics(id, store->startAttempt(id, 0), 0, 1, block);
    return liveStatus(*store, *store->find(id)).secondsLeft.value_or(-1);
  };
  RunPlan plan = test::planOf(FinishedRun{"mean", 1, 0.9, 1000, 1});
  EXPECT_NEAR(secondsLeft(plan), 200 * (0.005 + 0.010) / 2, 0.01);
  plan.stages.resize(2);
  plan.stages[0].name = "first";
  plan.stages[1].name = "second";
  plan.stages[0].endStep = plan.stages[1].firstStep = 600;
  plan.stages[1].endStep = 1000;
  for (StagePlan& stage : plan.stages) {
    stage.experiment = plan.experiment;
    stage.stepsPerEpoch = 100;
  }
  const auto parsed = parseRunPlan(toJsonText(plan));
  ASSERT_TRUE(parsed) << toText(parsed.error());
  EXPECT_NEAR(secondsLeft(plan), 200 * 0.010, 1e-6);
}

TEST(RunsOfLaunch, AreEveryVariantWithEverySeedInTheOrderTheyRunIn) {
  RunRecord run;
  run.experimentText = R"({"variants": [{"name": "a"}, {"name": "b"}], "seeds": [3, 4]})";
  run.seed = 4;
  EXPECT_EQ(runsOfLaunch(run), (std::vector<LaunchedRun>{{"a", 3}, {"b", 3}, {"b", 4}, {"a", 4}}));
  run.seed = 7;
  EXPECT_EQ(runsOfLaunch(run), (std::vector<LaunchedRun>{{"a", 7}, {"b", 7}})) << "it was given a seed of its own";
  run.experimentText = R"({"seeds": [7, 8]})";
  EXPECT_EQ(runsOfLaunch(run), (std::vector<LaunchedRun>{{"", 7}, {"", 8}}));
  run.experimentText = "boost_level";
  EXPECT_EQ(runsOfLaunch(run), (std::vector<LaunchedRun>{{"", 7}})) << "what cannot be read is one run";
}

/// A run that stood still for an hour and was resumed.
TEST(LiveStatus, TimeLeftLeavesOutThePauseBeforeAResume) {
  const test::TemporaryFolder folder;
  const auto store = test::openStore(folder.path());
  NewRun asked = test::sampleRun();
  asked.ranks = 1;
  asked.group = "launch";
  asked.planText = toJsonText(test::planOf(FinishedRun{"mean", 1, 0.9, 1000, 1}));
  asked.experimentText = R"({"variants": [{"name": "mean"}, {"name": "adasum"}]})";
  const std::string id = store->createRun(asked);
  constexpr std::int64_t second = 1'000'000'000, hour = 3600 * second;
  const auto blockAt = [&](std::int64_t first, std::int64_t wall) {
    MetricBlock block = test::block(first, 50, {"loss"}, [](auto, auto) { return 1.0; });
    for (std::int64_t i = 0; i < 50; ++i) block.wallNanoseconds[static_cast<std::size_t>(i)] = wall + i * second / 10;
    return block;
  };
  const std::int64_t began = 1000 * hour;
  for (const int attempt : {1, 2}) {
    const std::int64_t wall = began + (attempt - 1) * hour;
    ASSERT_EQ(store->startAttempt(id, (attempt - 1) * 50), attempt);
    store->addEvent(id, {0, wall - second, attempt, -1, EventLevel::information, "attempt.started", ""});
    store->appendMetrics(id, attempt, 0, 1, blockAt((attempt - 1) * 50, wall));
  }
  const LiveStatus status = liveStatus(*store, *store->find(id));
  ASSERT_TRUE(status.secondsLeft);
  EXPECT_NEAR(*status.secondsLeft, 90, 1) << "900 steps of a tenth of a second";
  EXPECT_EQ(status.runsOfLaunch, 1) << "a resumed run goes on alone";
  store->addEvent(id, {0, began, 1, -1, EventLevel::warning, "run.restarted", ""});
  EXPECT_EQ(liveStatus(*store, *store->find(id)).runsOfLaunch, 2) << "a launch that restarts goes on to its others";
}

}  // namespace
}  // namespace slipstream
