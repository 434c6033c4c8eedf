// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs with every optimizer: resumed in the middle, in the memory that was forecast, with an average of the
// weights.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/plan/forecast.h"
#include "engine/train/trainer.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::hashesAt;
using test::MemoryStore;
using test::trainRanks;

constexpr OptimizerKind newKinds[] = {OptimizerKind::adam, OptimizerKind::adamw, OptimizerKind::lamb,
                                      OptimizerKind::lars, OptimizerKind::lion};

/// How the update is made beside the optimizer.
enum class UpdateKind { averaged, deltas, level1, level2, level3 };

RunPlan planOf(OptimizerKind kind, UpdateKind update) {
  RunPlan plan = test::digitsPlan(3, 9);
  plan.local = true;
  Experiment& experiment = plan.experiment;
  OptimizerSpec& optimizer = experiment.optimizer;
  optimizer.kind = kind;
  optimizer.weightDecay = 0.01;
  optimizer.clipNorm = 1;
  optimizer.schedule.maximum = 0.005;
  optimizer.groups.push_back({.match = {"*bias"}, .weightDecay = 0.0});
  experiment.train.averageDecay = 0.5;
  experiment.train.checkpoint.everySteps = 4;
  experiment.lossScale = {.kind = LossScaleKind::fixed, .scale = 64};
  if (update == UpdateKind::deltas) {
    experiment.boost.setOn("adasum", true);
    experiment.boost.edit<AdasumOptions>().mode = AdasumMode::deltas;
  } else if (update != UpdateKind::averaged) {
    experiment.parallel.optimizerParallel = {static_cast<ShardingLevel>(static_cast<int>(update) - 1), 3, 1};
  }
  return plan;
}

class OptimizerRuns : public testing::TestWithParam<std::tuple<OptimizerKind, UpdateKind>> {};

TEST_P(OptimizerRuns, AResumedRunEndsWithTheSameBitsAsOneLeftAlone) {
  const RunPlan plan = planOf(std::get<0>(GetParam()), std::get<1>(GetParam()));
  MemoryStore alone;
  trainRanks(alone, plan);
  MemoryStore resumed;
  resumed.stop = StopKind::afterStep;
  resumed.stopAtStep = 5;
  trainRanks(resumed, plan);
  resumed.stopAtStep = -1;
  trainRanks(resumed, plan, 4);
  EXPECT_EQ(hashesAt(alone, 9), hashesAt(resumed, 9));
  EXPECT_EQ(alone.meanOf("loss"), resumed.meanOf("loss"));
  EXPECT_EQ(alone.metrics["accuracy"], resumed.metrics["accuracy"]);
  EXPECT_EQ(alone.metrics["evaluation_loss"], resumed.metrics["evaluation_loss"]);
  EXPECT_EQ(alone.metrics["gradient_norm"].size(), 9U);
  for (const double loss : alone.meanOf("loss")) EXPECT_TRUE(std::isfinite(loss));
}

TEST_P(OptimizerRuns, MeasuredMemoryIsTheForecast) {
  RunPlan plan = planOf(std::get<0>(GetParam()), std::get<1>(GetParam()));
  plan.totalSteps = 1;
  MemoryStore store;
  trainRanks(store, plan);
  const auto shape = networkShape(plan.experiment.network, {28, 28, 1});
  const auto forecast = forecastMemory(plan, *shape, plan.experiment.dataset.evaluationSamples);
  for (const char* category : {"weights", "gradients", "optimizer_state", "gather", "boost"}) {
    std::int64_t most = 0;
    for (int rank = 0; rank < 3; ++rank) most = std::max(most, store.memory[rank][category]);
    EXPECT_EQ(most, forecast.at(category)) << category;
  }
}

INSTANTIATE_TEST_SUITE_P(All, OptimizerRuns,
                         testing::Combine(testing::ValuesIn(newKinds),
                                          testing::Values(UpdateKind::averaged, UpdateKind::deltas, UpdateKind::level1,
                                                          UpdateKind::level2, UpdateKind::level3)));

class WeightAverageRuns : public testing::TestWithParam<UpdateKind> {};

/// Evaluations use the average. A decay near 0 makes it the newest weights, a decay near 1 the weights of the start.
TEST_P(WeightAverageRuns, IsWhatEvaluationsJudge) {
  const auto lossOf = [](double rate, std::optional<double> decay) {
    RunPlan plan = planOf(OptimizerKind::adamw, GetParam());
    plan.experiment.optimizer.schedule.maximum = rate;
    plan.experiment.train.averageDecay = decay;
    MemoryStore store;
    trainRanks(store, plan);
    return store.metrics["evaluation_loss"].at(9).at(0);
  };
  const double start = lossOf(0, std::nullopt), trained = lossOf(0.005, std::nullopt);
  EXPECT_GT(std::abs(trained - start), 0.01);
  EXPECT_NEAR(lossOf(0.005, 1e-9), trained, 1e-5);
  EXPECT_NEAR(lossOf(0.005, 1 - 1e-9), start, 1e-5);
}

/// The tensors of a checkpoint that all ranks have in common, by name: the averages of the weights, or all others.
std::map<std::string, std::vector<float>> valuesAt(MemoryStore& store, std::int64_t step, bool averages) {
  std::map<std::string, std::vector<float>> values;
  for (const TensorRecord& tensor : store.checkpoints.at(step).tensors) {
    const std::string_view name = tensor.name;
    if (tensor.shard >= 0 || name.starts_with(averagePrefix) != averages) continue;
    values[std::string(averages ? name.substr(std::string_view(averagePrefix).size()) : name)] =
        store.tensors.at(tensor.hash);
  }
  return values;
}

/// The tensors of a run at a rate of 0, whose weights stay what training starts from.
std::map<std::string, std::vector<float>> startWeights(RunPlan plan) {
  plan.experiment.optimizer.schedule.maximum = 0;
  plan.totalSteps = 1;
  MemoryStore store;
  trainRanks(store, plan);
  return valuesAt(store, 1, false);
}

TEST_P(WeightAverageRuns, IsItsDefinitionInFloat64) {
  RunPlan plan = planOf(OptimizerKind::adamw, GetParam());
  plan.experiment.train.averageDecay = 0.75;
  plan.experiment.train.checkpoint.everySteps = 1;
  MemoryStore store;
  trainRanks(store, plan);
  const auto start = startWeights(plan);
  const auto first = valuesAt(store, 1, true);
  ASSERT_EQ(first.size(), 10U);  // weights and biases of five layers
  std::map<std::string, std::vector<double>> expected;
  for (const auto& [name, average] : first) expected[name].assign(start.at(name).begin(), start.at(name).end());
  double moved = 0;
  for (std::int64_t step = 1; step <= plan.totalSteps; ++step) {
    const auto weights = valuesAt(store, step, false), averages = valuesAt(store, step, true);
    for (auto& [name, reference] : expected) {
      for (std::size_t i = 0; i < reference.size(); ++i) {
        reference[i] = 0.75 * reference[i] + 0.25 * static_cast<double>(weights.at(name).at(i));
        ASSERT_NEAR(static_cast<double>(averages.at(name).at(i)), reference[i], 1e-6)
            << name << " " << i << ", step " << step;
        moved = std::max(moved, std::abs(reference[i] - static_cast<double>(start.at(name)[i])));
      }
    }
  }
  EXPECT_GT(moved, 0.005);
}

INSTANTIATE_TEST_SUITE_P(All, WeightAverageRuns,
                         testing::Values(UpdateKind::averaged, UpdateKind::deltas, UpdateKind::level1,
                                         UpdateKind::level2, UpdateKind::level3));

}  // namespace
}  // namespace slipstream
