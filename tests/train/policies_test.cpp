// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of thread ranks with the algorithms that decide before a step or work on its gradient: each alone and all
// together, averaged, with Adasum and with sharded weights.
#include <algorithm>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/train/trainer.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::hashesAt;
using test::MemoryStore;
using test::trainRanks;

struct PolicyCase {
  const char* name;
  void (*turnOn)(Experiment&);
};

void freeze(Experiment& experiment) {
  experiment.boost.setOn("grad_freeze", true);
  experiment.boost.edit<GradFreezeOptions>().paramGroups = 3;
  experiment.boost.edit<GradFreezeOptions>().freezeP = 0.5;
}
void steps(Experiment& experiment) {
  experiment.boost.setOn("grad_accumulation", true);
  experiment.boost.edit<GradAccumulationOptions>().gradAccumulationStep = 3;
}
void microBatches(Experiment& experiment) {
  experiment.train.microSize = 3;
}
void centralize(Experiment& experiment) {
  experiment.optimizer.gradCentralization = true;
  experiment.optimizer.weightDecay = 1e-3;
}
/// So large that the first steps overflow, and so quick that it soon does again.
void dynamicScale(Experiment& experiment) {
  experiment.lossScale = {LossScaleKind::dynamic, 1e40, 4, 5};
}
/// Ranks do not overflow at the same steps: where runs of several rank counts are compared, none should.
RunPlan calmed(RunPlan plan) {
  LossScaleSpec& scale = plan.experiment.lossScale;
  if (scale.kind == LossScaleKind::dynamic) scale = {LossScaleKind::dynamic, 0x1p24};
  return plan;
}
void groupScale(Experiment& experiment) {
  experiment.lossScale = {LossScaleKind::group, 4096};
  experiment.optimizer.groups = {{.match = {"conv*"}}};
}
void everything(Experiment& experiment) {
  freeze(experiment);
  steps(experiment);
  microBatches(experiment);
  centralize(experiment);
  dynamicScale(experiment);
}

const PolicyCase algorithms[] = {{"grad_freeze", freeze},
                                 {"grad_accumulation", steps},
                                 {"micro_batches", microBatches},
                                 {"grad_centralization", centralize},
                                 {"dynamic_loss_scale", dynamicScale},
                                 {"loss_scale_group", groupScale},
                                 {"everything", everything}};

enum class Exchange { averaged, adasumGradients, adasumDeltas, sharded };

RunPlan planOf(int ranks, std::int64_t totalSteps, std::int64_t batch, const PolicyCase& algorithm, Exchange exchange) {
  RunPlan plan;
  Experiment& experiment = plan.experiment;
  experiment.name = "policies";
  experiment.seed = 11;
  experiment.network = *builtInNetwork("lenet5");
  experiment.dataset.name = "digits";
  experiment.dataset.batchSize = batch;
  experiment.dataset.trainSamples = 600;
  experiment.dataset.evaluationSamples = 60;
  experiment.optimizer.schedule.maximum = 0.02;
  experiment.parallel.ranks = ranks;
  experiment.boost.setOn("adasum", exchange == Exchange::adasumGradients || exchange == Exchange::adasumDeltas);
  if (exchange == Exchange::sharded) experiment.parallel.optimizerParallel = {ShardingLevel::level3, ranks, 0};
  experiment.boost.edit<AdasumOptions>().mode =
      exchange == Exchange::adasumDeltas ? AdasumMode::deltas : AdasumMode::gradients;
  algorithm.turnOn(experiment);
  for (int rank = 0; rank < ranks; ++rank) plan.places.push_back({rank, 0, "localhost", rank});
  plan.trainSamples = experiment.dataset.trainSamples;
  plan.stepsPerEpoch = stepsPerEpoch(experiment.dataset, plan.trainSamples, ranks, batchesPerStep(experiment));
  plan.totalSteps = totalSteps;
  return plan;
}

/// All weights of one checkpoint, by name.
std::map<std::string, std::vector<float>> weightsAt(MemoryStore& store, std::int64_t step) {
  std::map<std::string, std::vector<float>> weights;
  for (const TensorRecord& tensor : store.checkpoints.at(step).tensors) {
    if (tensor.shard < 0 && tensor.name.find('/') == std::string::npos) {
      weights[tensor.name] = store.tensors.at(tensor.hash);
    }
  }
  return weights;
}

void expectNear(const std::map<std::string, std::vector<float>>& a, const std::map<std::string, std::vector<float>>& b,
                double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (const auto& [name, values] : a) {
    for (std::size_t i = 0; i < values.size(); ++i)
      ASSERT_NEAR(values[i], b.at(name)[i], tolerance) << name << " " << i;
  }
}

class Policies : public testing::TestWithParam<std::tuple<PolicyCase, Exchange>> {
 protected:
  static RunPlan plan(int ranks, std::int64_t totalSteps, std::int64_t batch = 8) {
    return planOf(ranks, totalSteps, batch, std::get<0>(GetParam()), std::get<1>(GetParam()));
  }
};

TEST_P(Policies, AResumedRunEndsWithTheSameBitsAsOneLeftAlone) {
  RunPlan resumable = plan(2, 14);
  resumable.experiment.train.checkpoint.everySteps = 5;
  MemoryStore alone;
  trainRanks(alone, resumable);
  MemoryStore resumed;
  resumed.stop = StopKind::afterStep;
  resumed.stopAtStep = 6;
  trainRanks(resumed, resumable);
  resumed.stopAtStep = -1;
  trainRanks(resumed, resumable, 5);
  EXPECT_EQ(hashesAt(alone, 14), hashesAt(resumed, 14));
  EXPECT_EQ(alone.meanOf("loss"), resumed.meanOf("loss"));
  for (const char* metric : {"freeze_index", "loss_scale", "skipped_updates"}) {
    EXPECT_EQ(alone.meanOf(metric), resumed.meanOf(metric)) << metric;
  }
}

TEST_P(Policies, TrainsOnSixRanks) {
  MemoryStore store;
  const RunPlan six = calmed(plan(6, 80, 12));
  trainRanks(store, six);
  const auto losses = store.meanOf("loss");
  EXPECT_LT(std::accumulate(losses.end() - 5, losses.end(), 0.0) / 5, 0.9 * losses.front());
}

std::string nameOfPolicies(const testing::TestParamInfo<Policies::ParamType>& info) {
  constexpr const char* exchanges[] = {"averaged", "adasum_gradients", "adasum_deltas", "sharded"};
  return std::string(std::get<0>(info.param).name) + "_" + exchanges[static_cast<int>(std::get<1>(info.param))];
}

INSTANTIATE_TEST_SUITE_P(All, Policies,
                         testing::Combine(testing::ValuesIn(algorithms),
                                          testing::Values(Exchange::averaged, Exchange::adasumGradients,
                                                          Exchange::adasumDeltas, Exchange::sharded)),
                         nameOfPolicies);

const PolicyCase plain{"plain", [](Experiment&) {}};

class Ranks : public testing::TestWithParam<PolicyCase> {};

/// The same 12 samples a step, however many ranks share them.
TEST_P(Ranks, OneTwoThreeAndSixAgreeToRounding) {
  MemoryStore one;
  trainRanks(one, calmed(planOf(1, 6, 12, GetParam(), Exchange::averaged)));
  for (const int ranks : {2, 3, 6}) {
    MemoryStore several;
    trainRanks(several, calmed(planOf(ranks, 6, 12 / ranks, GetParam(), Exchange::averaged)));
    expectNear(weightsAt(several, 6), weightsAt(one, 6), 2e-5);
  }
}

INSTANTIATE_TEST_SUITE_P(All, Ranks, testing::ValuesIn(algorithms),
                         [](const auto& one) { return std::string(one.param.name); });

TEST_P(Ranks, ShardsAreTheWholeToRounding) {
  MemoryStore whole;
  trainRanks(whole, calmed(planOf(3, 6, 6, GetParam(), Exchange::averaged)));
  MemoryStore sharded;
  trainRanks(sharded, calmed(planOf(3, 6, 6, GetParam(), Exchange::sharded)));
  expectNear(weightsAt(sharded, 6), weightsAt(whole, 6), 2e-5);
}

TEST(NeutralSettings, ChangeNoBit) {
  const PolicyCase neutral[] = {
      {"fixed 1",
       [](Experiment& e) {
         e.lossScale = {LossScaleKind::fixed, 1};
       }},
      {"fixed 1024",
       [](Experiment& e) {
         e.lossScale = {LossScaleKind::fixed, 1024};
       }},
      {"one group",
       [](Experiment& e) { e.boost.setOn("grad_freeze", true), e.boost.edit<GradFreezeOptions>().paramGroups = 1; }},
      {"one batch", [](Experiment& e) { e.boost.setOn("grad_accumulation", true); }},
      {"sum of one", [](Experiment& e) { e.train.microReduction = MicroReduction::sum; }},
      {"not centralised",
       [](Experiment& e) {
         e.optimizer.groups = {{.match = {"*"}, .gradCentralization = false}}, e.optimizer.gradCentralization = true;
       }},
  };
  MemoryStore expected;
  trainRanks(expected, planOf(2, 6, 8, plain, Exchange::averaged));
  for (const PolicyCase& algorithm : neutral) {
    MemoryStore store;
    trainRanks(store, planOf(2, 6, 8, algorithm, Exchange::averaged));
    EXPECT_EQ(hashesAt(store, 6), hashesAt(expected, 6)) << algorithm.name;
  }
}

TEST(Accumulation, ThreeBatchesAreOneThreeTimesAsLarge) {
  MemoryStore three;
  trainRanks(three, planOf(1, 5, 8, {"grad_accumulation", steps}, Exchange::averaged));
  MemoryStore large;
  trainRanks(large, planOf(1, 5, 24, plain, Exchange::averaged));
  expectNear(weightsAt(three, 5), weightsAt(large, 5), 1e-6);
  for (std::size_t step = 0; step < 5; ++step) {
    EXPECT_NEAR(three.meanOf("loss")[step], large.meanOf("loss")[step], 1e-5);
  }
}

TEST(Accumulation, BothFormsMultiplyAndTheSumIsInsideABatch) {
  const auto lossOf = [](MicroReduction reduction) {
    RunPlan plan = planOf(2, 1, 8, plain, Exchange::averaged);
    steps(plan.experiment);
    microBatches(plan.experiment);
    plan.experiment.train.microReduction = reduction;
    MemoryStore store;
    trainRanks(store, plan);
    return store.meanOf("loss")[0];
  };
  EXPECT_NEAR(lossOf(MicroReduction::sum), 3 * lossOf(MicroReduction::mean), 1e-5);
}

TEST(DynamicLossScale, OverflowsAreSkippedAndCounted) {
  MemoryStore store;
  trainRanks(store, planOf(3, 12, 8, {"dynamic_loss_scale", dynamicScale}, Exchange::averaged));
  const auto scales = store.meanOf("loss_scale");
  const auto skipped = store.meanOf("skipped_updates");
  EXPECT_EQ(scales[0], 1e40);
  EXPECT_EQ(skipped[0], 1);
  EXPECT_LT(scales[1], scales[0]);
  EXPECT_LT(skipped.back(), 12);
  EXPECT_GE(skipped.back(), skipped.front());
}

TEST(FreezeMetrics, TellTheGroupOfEveryStep) {
  MemoryStore store;
  trainRanks(store, planOf(2, 20, 8, {"grad_freeze", freeze}, Exchange::averaged));
  const auto groups = store.meanOf("freeze_index");
  ASSERT_EQ(groups.size(), 20U);
  EXPECT_EQ(std::ranges::count(groups, 0.0), 10);
}

}  // namespace
}  // namespace slipstream
