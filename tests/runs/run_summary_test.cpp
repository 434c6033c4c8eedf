// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "engine/runs/live_status.h"
#include "tests/support/damaged_values.h"
#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

class RunSummaryTest : public ::testing::Test {
 protected:
  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
  const std::string id = store->createRun(test::sampleRun("summarized"));
};

TEST_F(RunSummaryTest, ShowsTheLastLossAndEverySpike) {
  store->setSupervisor(id, thisProcess());
  store->setState(id, RunState::running, "");
  const auto loss = [](std::int64_t step, std::size_t) {
    return step == 777 ? 50.0 : 1.0 / (1.0 + static_cast<double>(step));
  };
  const int attempt = store->startAttempt(id, 0);
  for (const int rank : {0, 1}) {
    store->appendMetrics(id, attempt, rank, 1, test::block(0, 1000, {"loss"}, loss));
  }
  const RunSummary summary = summarizeRun(*store, store->find(id).value(), 40);
  EXPECT_EQ(summary.supervisor, Liveness::alive);
  EXPECT_EQ(summary.stepsDone, 1000);
  EXPECT_DOUBLE_EQ(*summary.lastLoss, 0.001);
  ASSERT_EQ(summary.sparkline.size(), 1U);
  EXPECT_LE(summary.sparkline[0].y.size(), 4 * 41U);
  EXPECT_EQ(std::ranges::count(summary.sparkline[0].y, 50.0), 1);
}

TEST_F(RunSummaryTest, FindsWhereTheLossBrokeAndHowFarItWasToGo) {
  const auto loss = [](std::int64_t step, std::size_t) { return step < 41 ? 1.0 : std::nan(""); };
  store->appendMetrics(id, store->startAttempt(id, 0), 0, 1, test::block(0, 50, {"loss"}, loss));
  const RunSummary broken = summarizeRun(*store, store->find(id).value(), 40);
  EXPECT_EQ(broken.brokenStep, 41);
  EXPECT_TRUE(std::isnan(broken.brokenLoss));
  const std::string whole = test::recordRun(*store, test::FinishedRun{"mean", 1, 0.9, 200});
  const RunSummary summary = summarizeRun(*store, store->find(whole).value(), 40);
  EXPECT_EQ(summary.totalSteps, 200);
  EXPECT_NEAR(summary.loss.value(), 0.15, 0.05);
  EXPECT_FALSE(summary.brokenStep);
}

TEST_F(RunSummaryTest, OfARunThatEndedBeforeItsFirstStep) {
  store->setState(id, RunState::failed, "no such file");
  const RunSummary summary = summarizeRun(*store, store->find(id).value(), 40);
  EXPECT_FALSE(summary.supervisor);
  EXPECT_FALSE(summary.lastLoss);
  EXPECT_TRUE(summary.sparkline.empty());
}

TEST_F(RunSummaryTest, HeadsAreTheRunsWithoutTheirLongTexts) {
  store->setState(id, RunState::lost, "gone");
  const auto heads = store->heads();
  ASSERT_EQ(heads.size(), 1U);
  const RunRecord whole = store->find("last").value();
  EXPECT_EQ(heads[0].id, id);
  EXPECT_EQ(heads[0].name, "summarized");
  EXPECT_EQ(heads[0].state, RunState::lost);
  EXPECT_EQ(heads[0].why, "gone");
  EXPECT_EQ(heads[0].seed, whole.seed);
  EXPECT_EQ(heads[0].createdAt, whole.createdAt);
  EXPECT_TRUE(heads[0].planText.empty());
  EXPECT_TRUE(heads[0].experimentText.empty());
  EXPECT_EQ(whole.planText, "{}");
}

TEST_F(RunSummaryTest, DamagedValuesAreToldAndCostNothingElse) {
  const std::string run = test::recordRun(*store, test::FinishedRun{"mean", 1, 0.9, 200});
  EXPECT_EQ(summarizeRun(*store, store->find(run).value(), 40).damage, "");
  test::damageValues(*store, run, "loss");
  const RunSummary summary = summarizeRun(*store, store->find(run).value(), 40);
  EXPECT_NE(summary.damage.find("values of loss are damaged"), std::string::npos) << summary.damage;
  EXPECT_EQ(summary.totalSteps, 200);
  EXPECT_FALSE(summary.loss);
}

}  // namespace
}  // namespace slipstream
