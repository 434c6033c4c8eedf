// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs with parallel.optimizer_parallel: the bits of the plain run, resumed in the middle, in the memory
// forecast.
#include <gtest/gtest.h>

#include "engine/plan/forecast.h"
#include "engine/train/trainer.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;
using test::trainRanks;

RunPlan mlpPlan(int ranks, ShardingLevel level, std::int64_t threshold = 0) {
  RunPlan plan;
  Experiment& experiment = plan.experiment;
  experiment.name = "sharded";
  experiment.seed = 5;
  experiment.network = *builtInNetwork("mlp");
  experiment.dataset.name = "digits";
  experiment.dataset.batchSize = 4;
  experiment.dataset.trainSamples = 600;
  experiment.dataset.evaluationSamples = 50;
  experiment.optimizer.schedule.maximum = 0.05;
  experiment.parallel.ranks = ranks;
  experiment.parallel.optimizerParallel = {level, ranks, threshold};
  for (int rank = 0; rank < ranks; ++rank) plan.places.push_back({rank, 0, "localhost", rank});
  plan.trainSamples = experiment.dataset.trainSamples;
  plan.stepsPerEpoch = stepsPerEpoch(experiment.dataset, plan.trainSamples, ranks);
  plan.totalSteps = 9;
  return plan;
}

/// Hashes of what is common to all ranks: the weights.
std::map<std::string, std::string> sharedWeightsAt(MemoryStore& store, std::int64_t step) {
  std::map<std::string, std::string> hashes;
  for (const TensorRecord& tensor : store.checkpoints.at(step).tensors) {
    if (tensor.shard < 0 && !tensor.name.starts_with("momentum")) hashes[tensor.name] = tensor.hash;
  }
  return hashes;
}

class ShardedTraining : public testing::TestWithParam<ShardingLevel> {};

TEST_P(ShardedTraining, WithoutTheSharedMemoryOfItsPlanItSendsMessagesAndSaysSo) {
  RunPlan plan = mlpPlan(3, GetParam());
  plan.local = true;
  MemoryStore shared;
  trainRanks(shared, plan);
  EXPECT_TRUE(shared.events.empty());
  MemoryStore sent;
  sent.withholdsMemory = true;
  trainRanks(sent, plan);
  EXPECT_EQ(sent.events, std::vector<std::string>{"shared_memory"});
  EXPECT_EQ(sharedWeightsAt(sent, 9), sharedWeightsAt(shared, 9));
  EXPECT_EQ(sent.meanOf("loss"), shared.meanOf("loss"));
}

TEST(ShardedTrainingPlaces, SeveralHostsMissNothing) {
  RunPlan plan = mlpPlan(2, ShardingLevel::level2);
  plan.local = false;
  MemoryStore store;
  trainRanks(store, plan);
  EXPECT_TRUE(store.events.empty());
}

TEST_P(ShardedTraining, EndsWithTheBitsOfThePlainRun) {
  MemoryStore plain;
  trainRanks(plain, mlpPlan(3, ShardingLevel::off));
  const auto expected = sharedWeightsAt(plain, 9);
  ASSERT_EQ(expected.size(), 6U);
  for (const std::int64_t threshold : {0, 64}) {
    for (const bool local : {true, false}) {
      MemoryStore sharded;
      RunPlan plan = mlpPlan(3, GetParam(), threshold);
      plan.local = local;
      trainRanks(sharded, plan);
      EXPECT_EQ(sharedWeightsAt(sharded, 9), expected);
      EXPECT_EQ(sharded.meanOf("loss"), plain.meanOf("loss"));
      EXPECT_EQ(sharded.metrics["accuracy"], plain.metrics["accuracy"]);
    }
  }
}

TEST_P(ShardedTraining, AResumedRunEndsWithTheSameBitsAsOneLeftAlone) {
  RunPlan plan = mlpPlan(3, GetParam(), 64);
  plan.experiment.train.checkpoint.everySteps = 4;
  MemoryStore alone;
  trainRanks(alone, plan);
  MemoryStore resumed;
  resumed.stop = StopKind::afterStep;
  resumed.stopAtStep = 5;
  trainRanks(resumed, plan);
  ASSERT_EQ(resumed.checkpoints.rbegin()->first, 6);
  resumed.stopAtStep = -1;
  trainRanks(resumed, plan, 4);
  EXPECT_EQ(sharedWeightsAt(alone, 9), sharedWeightsAt(resumed, 9));
  EXPECT_EQ(alone.meanOf("loss"), resumed.meanOf("loss"));
}

TEST_P(ShardedTraining, MeasuredMemoryIsTheForecast) {
  for (const int ranks : {1, 3, 4, 8}) {
    for (const bool local : {true, false}) {
      for (const bool overlap : {true, false}) {
        RunPlan plan = mlpPlan(ranks, GetParam(), overlap ? 64 : 0);
        plan.local = local || ranks == 1;
        plan.experiment.parallel.overlap = overlap;
        plan.totalSteps = 1;
        MemoryStore store;
        trainRanks(store, plan);
        const auto shape = networkShape(plan.experiment.network, {28, 28, 1});
        const auto forecast = forecastMemory(plan, *shape, plan.experiment.dataset.evaluationSamples);
        for (const char* category : {"weights", "gradients", "optimizer_state", "gather"}) {
          for (int rank = 0; rank < ranks; ++rank) {
            EXPECT_EQ(store.memory[rank][category], forecast.at(category)) << category << " of " << ranks;
          }
        }
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, ShardedTraining,
                         testing::Values(ShardingLevel::level1, ShardingLevel::level2, ShardingLevel::level3),
                         [](const auto& name) { return "level" + std::to_string(static_cast<int>(name.param)); });

}  // namespace
}  // namespace slipstream
