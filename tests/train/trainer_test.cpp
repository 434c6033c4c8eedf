// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs of thread ranks: file-free, store-free, the same trainer that the worker calls.
#include "engine/train/trainer.h"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::hashesAt;
using test::MemoryStore;
using test::trainRanks;

RunPlan smallPlan(int ranks, std::int64_t steps, bool adasum) {
  RunPlan plan = test::digitsPlan(ranks, steps);
  plan.experiment.boost.setOn("adasum", adasum);
  plan.experiment.boost.edit<AdasumOptions>().mode = AdasumMode::gradients;
  return plan;
}

class Trainer : public testing::TestWithParam<bool> {};

TEST_P(Trainer, TheLossFallsAndTheEndIsEvaluated) {
  MemoryStore store;
  RunPlan plan = smallPlan(3, 80, GetParam());
  plan.experiment.optimizer.schedule.maximum = 0.05;
  trainRanks(store, plan);
  const auto losses = store.meanOf("loss");
  ASSERT_EQ(losses.size(), 80U);
  EXPECT_NEAR(losses.front(), std::log(10.0), 0.15);
  EXPECT_LT(losses.back(), 0.8 * losses.front());
  EXPECT_EQ(store.metrics["accuracy"].count(80), 1U);
}

TEST_P(Trainer, TheSameSeedGivesTheSameBitsTwice) {
  MemoryStore first;
  MemoryStore second;
  trainRanks(first, smallPlan(2, 12, GetParam()));
  trainRanks(second, smallPlan(2, 12, GetParam()));
  EXPECT_EQ(first.meanOf("loss"), second.meanOf("loss"));
  EXPECT_EQ(hashesAt(first, 12), hashesAt(second, 12));
}

TEST_P(Trainer, AResumedRunEndsWithTheSameBitsAsOneLeftAlone) {
  RunPlan plan = smallPlan(2, 20, GetParam());
  plan.experiment.train.checkpoint.everySteps = 7;
  MemoryStore alone;
  trainRanks(alone, plan);
  MemoryStore resumed;
  resumed.stop = StopKind::afterStep;
  resumed.stopAtStep = 8;
  trainRanks(resumed, plan);
  ASSERT_EQ(resumed.checkpoints.rbegin()->first, 9);
  resumed.stopAtStep = -1;
  trainRanks(resumed, plan, 7);
  EXPECT_EQ(hashesAt(alone, 20), hashesAt(resumed, 20));
  EXPECT_EQ(alone.meanOf("loss"), resumed.meanOf("loss"));
}

INSTANTIATE_TEST_SUITE_P(Updates, Trainer, testing::Bool(),
                         [](const auto& name) { return name.param ? "adasum" : "averaged"; });

TEST(TrainerResume, AnotherExchangeThanBeforeIsRefusedUnlessAllowed) {
  RunPlan plan = smallPlan(2, 6, true);
  plan.experiment.train.checkpoint.everySteps = 3;
  MemoryStore store;
  trainRanks(store, plan);
  std::string& progress = store.checkpoints.at(3).progressText;
  const auto place = progress.find("\"window\"");
  ASSERT_NE(place, std::string::npos) << progress;
  progress.replace(place, 8, "\"gram\"");
  try {
    trainRanks(store, plan, 3);
    FAIL() << "the run went on";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("--allow-different-bits"), std::string::npos) << error.what();
  }
  plan.allowDifferentBits = true;
  trainRanks(store, plan, 3);
}

TEST(TrainerStop, AfterCheckpointWaitsForTheNextScheduledOne) {
  RunPlan plan = smallPlan(2, 20, false);
  plan.experiment.train.checkpoint.everySteps = 6;
  MemoryStore store;
  store.stop = StopKind::afterCheckpoint;
  store.stopAtStep = 2;
  trainRanks(store, plan);
  EXPECT_EQ(store.checkpoints.rbegin()->first, 6);
}

TEST(TrainerMetrics, StepsCountFromZeroAndTimesAddUpToTheStep) {
  MemoryStore store;
  trainRanks(store, smallPlan(2, 5, true));
  EXPECT_EQ(store.metrics["loss"].begin()->first, 0);
  const auto step = store.meanOf("step_seconds");
  const auto compute = store.meanOf("compute_seconds");
  const auto communication = store.meanOf("communication_seconds");
  const auto data = store.meanOf("data_seconds");
  const auto record = store.meanOf("record_seconds");
  for (std::size_t i = 0; i < step.size(); ++i) {
    EXPECT_NEAR(step[i], compute[i] + communication[i] + data[i] + record[i], 1e-6 + 0.02 * step[i]);
  }
  const auto hidden = store.meanOf("hidden_communication_seconds");
  ASSERT_EQ(hidden.size(), step.size());
  for (std::size_t i = 0; i < step.size(); ++i) EXPECT_LE(hidden[i], compute[i]);
  EXPECT_TRUE(store.metrics.contains("orthogonality/conv1.weight"));
  EXPECT_TRUE(store.metrics.contains("cosine/conv1.weight"));
}

/// The metric of the last evaluation of a network that one step left as it was.
std::optional<double> evaluated(const char* metric, std::int64_t samples, std::int64_t batchSize) {
  RunPlan plan = test::digitsPlan(2, 1);
  plan.experiment.optimizer.schedule.maximum = 0;
  plan.experiment.optimizer.momentum = 0;
  plan.experiment.dataset.evaluationSamples = samples;
  plan.experiment.dataset.batchSize = batchSize;
  plan.experiment.train.evaluateEverySteps = 1;
  MemoryStore store;
  trainRanks(store, plan);
  const auto found = store.metrics.find(metric);
  if (found == store.metrics.end()) return std::nullopt;
  return found->second.at(1).at(0);
}

TEST(TrainerMetrics, AnEvaluationSaysHowManySamplesItJudgedAndHowCertainItsLossIs) {
  EXPECT_EQ(evaluated("evaluation_samples", 641, 16), 641);
  const auto bySamples = evaluated("evaluation_loss_error", 641, 1);
  const auto byBatches = evaluated("evaluation_loss_error", 641, 16);
  ASSERT_TRUE(bySamples && byBatches);
  EXPECT_GT(*bySamples, 0);
  EXPECT_NEAR(*byBatches / *bySamples, 1, 0.4) << "the same error, estimated from 42 batches and from 641 samples";
  EXPECT_FALSE(evaluated("evaluation_loss_error", 64, 16)) << "4 batches say too little";
}

TEST(TrainerMetrics, CheckpointsAndEvaluationsStandBetweenSteps) {
  RunPlan plan = smallPlan(2, 6, false);
  plan.experiment.train.checkpoint.everySteps = 3;
  plan.experiment.train.evaluateEverySteps = 2;
  MemoryStore store;
  trainRanks(store, plan);
  const auto stepsOf = [&](const char* metric) {
    std::vector<std::int64_t> steps;
    for (const auto& [step, ranks] : store.metrics[metric]) {
      EXPECT_EQ(ranks.size(), 2U) << "every rank tells its own";
      for (const auto& [rank, seconds] : ranks) EXPECT_GT(seconds, 0);
      steps.push_back(step);
    }
    return steps;
  };
  EXPECT_EQ(stepsOf("checkpoint_seconds"), (std::vector<std::int64_t>{2, 5})) << "with the step before";
  EXPECT_EQ(stepsOf("evaluation_seconds"), (std::vector<std::int64_t>{1, 3, 5}));
}

TEST(TrainerMetrics, ShortStepsCountTheSamplesThatTheyTook) {
  RunPlan plan = smallPlan(2, 0, false);
  Experiment& experiment = plan.experiment;
  experiment.dataset.trainSamples = 2 * 16 * 7 + 5;  // 8 batches, the last of 3 and 2 samples; 3 steps of 3, 3 and 2
  experiment.dataset.dropRemainder = false;
  experiment.boost.setOn("grad_accumulation", true);
  experiment.boost.edit<GradAccumulationOptions>().gradAccumulationStep = 3;
  plan.trainSamples = experiment.dataset.trainSamples;
  plan.stepsPerEpoch = stepsPerEpoch(experiment.dataset, plan.trainSamples, 2, batchesPerStep(experiment));
  plan.totalSteps = 3;
  MemoryStore store;
  trainRanks(store, plan);
  const std::vector<double> samples{96, 96, 37};
  for (std::int64_t step = 0; step < 3; ++step) {
    const double seconds = store.metrics["step_seconds"][step][0];
    EXPECT_NEAR(store.metrics["samples_per_second"][step][0] * seconds, samples[static_cast<std::size_t>(step)], 1e-6);
  }
}

TEST(TrainerMetrics, TheSlotsTimesAreRecordedByEveryRankAndArePartOfComputing) {
  MemoryStore store;
  RunPlan plan = smallPlan(2, 4, false);
  plan.experiment.lossScale.kind = LossScaleKind::dynamic;
  plan.experiment.lossScale.scale = 1024;
  plan.experiment.optimizer.gradCentralization = true;
  trainRanks(store, plan);
  const auto compute = store.meanOf("compute_seconds");
  std::vector<double> slots(compute.size());
  for (const char* name :
       {"policy_seconds", "pass_seconds/loss_scale", "pass_seconds/grad_centralization", "update_seconds"}) {
    SCOPED_TRACE(name);
    const auto seconds = store.meanOf(name);
    ASSERT_EQ(seconds.size(), 4U);
    EXPECT_EQ(store.metrics[name].at(0).size(), 2U);
    for (std::size_t i = 0; i < seconds.size(); ++i) {
      EXPECT_GT(seconds[i], 0);
      slots[i] += seconds[i];
    }
  }
  for (std::size_t i = 0; i < slots.size(); ++i) EXPECT_LT(slots[i], compute[i]);
}

TEST(TrainerMetrics, SlotsThatNothingFillsHaveNoTimes) {
  MemoryStore store;
  trainRanks(store, smallPlan(2, 2, false));
  EXPECT_TRUE(store.metrics.contains("update_seconds"));
  EXPECT_FALSE(store.metrics.contains("policy_seconds"));
}

TEST(TrainerMemory, MeasuredWeightsGradientsAndStateEqualTheFormula) {
  MemoryStore store;
  trainRanks(store, smallPlan(2, 1, false));
  constexpr std::int64_t lenetBytes = 61706 * 4;
  EXPECT_EQ(store.memory[0]["weights"], lenetBytes);
  EXPECT_EQ(store.memory[0]["optimizer_state"], lenetBytes);
}

TEST(TrainerFailure, AnInvalidLossEndsTheRunWithItsPlace) {
  RunPlan plan = smallPlan(2, 50, false);
  plan.experiment.optimizer.schedule.maximum = 1e30;
  MemoryStore store;
  try {
    trainRanks(store, plan);
    FAIL() << "the run did not end";
  } catch (const std::exception& error) {
    EXPECT_NE(std::string(error.what()).find("Invalid loss, terminating training."), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace slipstream
