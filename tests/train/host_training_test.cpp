// SPDX-License-Identifier: GPL-3.0-or-later
// Whole runs whose ranks are on several hosts: the same bits at every start, on one machine as on several, resumed in
// the middle, sharded, in the memory forecast.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/boost/adasum/spec.h"
#include "engine/plan/forecast.h"
#include "tests/support/error_of.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::hashesAt;
using test::MemoryStore;
using test::trainRanks;

constexpr std::int64_t hostSteps = 6;

/// Ranks of two or three hosts, of which none follows the other: a b a b c ...
RunPlan hostPlan(int ranks, bool local = false) {
  RunPlan plan = test::digitsPlan(ranks, hostSteps);
  plan.experiment.network = *builtInNetwork("mlp");
  plan.experiment.dataset.batchSize = 4;
  plan.experiment.parallel.exchange = GradientExchange::hosts;
  plan.local = local;
  for (RankPlacement& place : plan.places) {
    place.server = place.rank == 4 ? 2 : place.rank % 2;
    if (!local) place.host = std::string(1, static_cast<char>('a' + place.server));
  }
  return plan;
}

std::map<std::string, std::string> trainedBits(const RunPlan& plan) {
  MemoryStore store;
  trainRanks(store, plan);
  EXPECT_TRUE(store.events.empty());
  auto hashes = hashesAt(store, hostSteps);
  std::erase_if(hashes, [](const auto& tensor) { return tensor.first.starts_with("momentum"); });
  return hashes;
}

TEST(HostTraining, HasTheSameBitsAtEveryStartAndOnOneMachine) {
  const auto bits = trainedBits(hostPlan(5));
  EXPECT_EQ(trainedBits(hostPlan(5)), bits);
  EXPECT_EQ(trainedBits(hostPlan(5, true)), bits) << "servers stand for hosts";
  RunPlan inTheWindow = hostPlan(5, true);
  inTheWindow.experiment.parallel.exchange = GradientExchange::automatic;
  EXPECT_NE(trainedBits(inTheWindow), bits) << "added in another order";
}

TEST(HostTraining, ShardsHaveTheBitsOfWholeGradients) {
  const auto bits = trainedBits(hostPlan(4));
  for (const ShardingLevel level : {ShardingLevel::level1, ShardingLevel::level2, ShardingLevel::level3}) {
    RunPlan plan = hostPlan(4);
    plan.experiment.parallel.optimizerParallel = {level, 4, 0};
    EXPECT_EQ(trainedBits(plan), bits) << static_cast<int>(level);
  }
}

TEST(HostTraining, AdasumOfServersHasTheBitsOfOneMachine) {
  for (const AdasumMode mode : {AdasumMode::gradients, AdasumMode::deltas}) {
    const auto planned = [&](bool local) {
      RunPlan plan = hostPlan(5, local);
      plan.experiment.boost.edit<AdasumOptions>() = {mode, AdasumScope::servers, AdasumExchange::gram};
      plan.experiment.boost.setOn<AdasumOptions>(true);
      return plan;
    };
    EXPECT_EQ(trainedBits(planned(false)), trainedBits(planned(true)));
  }
}

TEST(HostTraining, AResumedRunEndsWithTheSameBitsAndRefusesAnotherLayout) {
  RunPlan plan = hostPlan(4);
  plan.experiment.train.checkpoint.everySteps = 3;
  MemoryStore alone;
  trainRanks(alone, plan);
  MemoryStore resumed;
  resumed.stop = StopKind::afterStep;
  resumed.stopAtStep = 3;
  trainRanks(resumed, plan);
  resumed.stopAtStep = -1;
  trainRanks(resumed, plan, 3);
  EXPECT_EQ(hashesAt(resumed, hostSteps), hashesAt(alone, hostSteps));
  for (RankPlacement& place : plan.places) place.host = place.rank < 2 ? "a" : "b";
  EXPECT_THAT(test::errorOf([&] { trainRanks(resumed, plan, 3); }), testing::HasSubstr("hosts 0 1 0 1"));
}

TEST(HostTraining, MeasuredMemoryIsTheForecast) {
  for (const ShardingLevel level :
       {ShardingLevel::off, ShardingLevel::level1, ShardingLevel::level2, ShardingLevel::level3}) {
    RunPlan plan = hostPlan(4);
    plan.experiment.parallel.optimizerParallel = {level, 4, 0};
    MemoryStore store;
    trainRanks(store, plan);
    const auto shape = networkShape(plan.experiment.network, {28, 28, 1});
    auto forecast = forecastMemory(plan, *shape, plan.experiment.dataset.evaluationSamples);
    for (const char* category : {"weights", "gradients", "gather"}) {
      EXPECT_EQ(store.memory[0][category], forecast[category]) << category << " at level " << static_cast<int>(level);
    }
  }
}

}  // namespace
}  // namespace slipstream
