// SPDX-License-Identifier: GPL-3.0-or-later
// A run of six ranks on three hosts goes on with four: with the weights and the optimizer state that it had, over the
// same samples. The sums have other bits, so losses agree to rounding.
#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/plan/placement.h"
#include "engine/record/metric_info.h"
#include "tests/support/error_of.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;
using test::trainRanks;

constexpr std::int64_t allSteps = 12;
constexpr std::int64_t lostAt = 5;

RunPlan planOnHosts(const std::string& network, ShardingLevel level = ShardingLevel::off) {
  RunPlan plan = test::digitsPlan(6, allSteps);
  Experiment& experiment = plan.experiment;
  experiment.network = *builtInNetwork(network);
  experiment.train.onLost = OnLost::shrink;
  experiment.train.checkpoint.everySteps = lostAt;
  experiment.train.evaluateEverySteps = lostAt;
  experiment.parallel.exchange = GradientExchange::hosts;
  experiment.parallel.optimizerParallel = {level, 6, 0};
  plan.local = false;
  for (RankPlacement& place : plan.places) {
    place.server = place.rank / 2;
    place.host = std::string(1, static_cast<char>('a' + place.server));
  }
  return plan;
}

void expectTheSameCurve(const RunPlan& plan, double tolerance) {
  MemoryStore leftAlone, shrunk;
  trainRanks(leftAlone, plan);
  trainRanks(shrunk, plan);
  const auto fewer = shrunkPlan(plan, {"b"});
  ASSERT_TRUE(fewer);
  ASSERT_EQ(fewer->ranks(), 4);
  shrunk.metrics.clear();
  trainRanks(shrunk, *fewer, lostAt);
  const std::vector<double> expected = leftAlone.meanOf(metric::loss), losses = shrunk.meanOf(metric::loss);
  ASSERT_EQ(std::ssize(losses), allSteps - lostAt);
  for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], expected[i + lostAt], tolerance);
}

TEST(FewerRanks, GoOnWithTheSameSamplesAndMomentum) {
  expectTheSameCurve(planOnHosts("lenet5"), 1e-5);
}

class FewerRanksShards : public testing::TestWithParam<ShardingLevel> {};

TEST_P(FewerRanksShards, ShareOutTheOptimizerStateAnew) {
  expectTheSameCurve(planOnHosts("lenet5", GetParam()), 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Levels, FewerRanksShards,
                         testing::Values(ShardingLevel::level1, ShardingLevel::level2, ShardingLevel::level3));

TEST(FewerRanks, EveryHostBackSharesOutAgain) {
  const RunPlan plan = planOnHosts("lenet5", ShardingLevel::level1);
  MemoryStore leftAlone, run;
  trainRanks(leftAlone, plan);
  RunPlan fewer = *shrunkPlan(plan, {"c"});
  trainRanks(run, plan);
  std::erase_if(run.checkpoints, [](const auto& checkpoint) { return checkpoint.first > lostAt; });
  trainRanks(run, fewer, lostAt);
  run.metrics.clear();
  trainRanks(run, plan, 2 * lostAt);  // from the checkpoint that four have made
  const std::vector<double> expected = leftAlone.meanOf(metric::loss), losses = run.meanOf(metric::loss);
  ASSERT_EQ(std::ssize(losses), allSteps - 2 * lostAt);
  for (std::size_t i = 0; i < losses.size(); ++i) EXPECT_NEAR(losses[i], expected[i + 2 * lostAt], 1e-5);
}

/// Evaluations take the mean of all ranks' running statistics, of those that are lost too.
TEST(FewerRanks, RunningStatisticsComeToTheSame) {
  RunPlan plan = planOnHosts("small_resnet");
  plan.totalSteps = lostAt;
  MemoryStore run;
  trainRanks(run, plan);
  const double before = run.meanOf(metric::evaluationLoss).back();
  RunPlan fewer = *shrunkPlan(plan, {"a"});
  fewer.experiment.optimizer.schedule.maximum = 0;  // one step that changes no weight
  fewer.totalSteps = lostAt + 1;
  for (LayerSpec& layer : fewer.experiment.network.layers) {
    if (layer.kind == LayerKind::batchNorm) layer.momentum = 1;  // nor any statistic
  }
  run.metrics.clear();
  trainRanks(run, fewer, lostAt);
  EXPECT_NEAR(run.meanOf(metric::evaluationLoss).back(), before, 1e-5);
}

TEST(FewerRanks, StateOfEachRanksOwnIsNotGuessed) {
  RunPlan plan = planOnHosts("lenet5");
  plan.experiment.boost.setOn<AdasumOptions>();
  plan.totalSteps = lostAt;
  MemoryStore run;
  trainRanks(run, plan);
  RunPlan fewer = *shrunkPlan(plan, {"a"});
  fewer.totalSteps = allSteps;
  EXPECT_NE(test::errorOf([&] { trainRanks(run, fewer, lostAt); }).find("each rank's own"), std::string::npos);
}

}  // namespace
}  // namespace slipstream
