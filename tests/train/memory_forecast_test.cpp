// SPDX-License-Identifier: GPL-3.0-or-later
// What a run measures of its memory is what was forecast, category by category.
#include <algorithm>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/devices/open_device.h"
#include "engine/experiment/experiment_check.h"
#include "engine/nn/network.h"
#include "engine/plan/forecast.h"
#include "engine/probe/dataset_kind.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;
using test::trainRanks;

RunPlan smallPlan(const std::string& network, int ranks) {
  RunPlan plan;
  Experiment& experiment = plan.experiment;
  experiment.name = "memory";
  experiment.seed = 5;
  experiment.network = *builtInNetwork(network);
  experiment.dataset.name = "digits";
  experiment.dataset.batchSize = 10;
  experiment.dataset.trainSamples = 600;
  experiment.dataset.evaluationSamples = 53;
  experiment.optimizer.schedule.maximum = 0.01;
  experiment.parallel.ranks = ranks;
  for (int rank = 0; rank < ranks; ++rank) plan.places.push_back({rank, 0, "localhost", rank});
  plan.trainSamples = experiment.dataset.trainSamples;
  plan.stepsPerEpoch = stepsPerEpoch(experiment.dataset, plan.trainSamples, ranks);
  plan.totalSteps = 1;
  return plan;
}

/// Of the rank that holds most.
std::int64_t measured(MemoryStore& store, const RunPlan& plan, const std::string& category) {
  std::int64_t most = 0;
  for (int rank = 0; rank < plan.ranks(); ++rank) most = std::max(most, store.memory[rank][category]);
  return most;
}

MemoryForecast forecastOf(const RunPlan& plan) {
  const auto shape = networkShape(plan.experiment.network, sampleShape(plan.experiment.dataset));
  return forecastMemory(plan, *shape, plan.experiment.dataset.evaluationSamples);
}

void expectForecast(const RunPlan& plan) {
  MemoryStore store;
  trainRanks(store, plan);
  for (const auto& [category, bytes] : forecastOf(plan)) {
    if (category == "activations") continue;
    EXPECT_EQ(measured(store, plan, category), bytes) << category;
  }
}

struct AdasumCase {
  std::string name;
  std::vector<int> servers;  ///< of each rank
  bool local = true;
  AdasumExchange exchange = AdasumExchange::automatic;
  AdasumMode mode = AdasumMode::gradients;

  AdasumScope scope() const { return servers.back() > 0 ? AdasumScope::servers : AdasumScope::flat; }
};

/// Every form on every placement that has it; ranks on several machines share no memory.
std::vector<AdasumCase> adasumCases() {
  const std::vector<AdasumCase> placements{{"two", {0, 0}},
                                           {"five", {0, 0, 0, 0, 0}},
                                           {"servers", {0, 0, 1, 1, 2, 2}},
                                           {"apart", {0, 0, 0}, false},
                                           {"away", {0, 0, 1, 1}, false}};
  const std::vector<AdasumCase> forms{{"automatic", {}, true, AdasumExchange::automatic, AdasumMode::gradients},
                                      {"window", {}, true, AdasumExchange::window, AdasumMode::deltas},
                                      {"gram", {}, false, AdasumExchange::gram, AdasumMode::gradients},
                                      {"halving", {}, false, AdasumExchange::halving, AdasumMode::deltas}};
  std::vector<AdasumCase> cases;
  for (const AdasumCase& placement : placements) {
    for (const AdasumCase& form : forms) {
      if (form.exchange == AdasumExchange::window && !placement.local) continue;
      cases.push_back({placement.name + "_" + form.name, placement.servers, placement.local, form.exchange, form.mode});
    }
  }
  return cases;
}

/// Flat deltas keep a state per rank, which cannot be sharded.
std::vector<AdasumCase> shardedAdasumCases() {
  auto cases = adasumCases();
  std::erase_if(
      cases, [](const AdasumCase& one) { return one.mode == AdasumMode::deltas && one.scope() == AdasumScope::flat; });
  return cases;
}

RunPlan planOf(const AdasumCase& one) {
  RunPlan plan = smallPlan("mlp", static_cast<int>(one.servers.size()));
  plan.local = one.local;
  for (RankPlacement& place : plan.places) place.server = one.servers[static_cast<std::size_t>(place.rank)];
  plan.experiment.boost.setOn("adasum", true);
  AdasumOptions& options = plan.experiment.boost.edit<AdasumOptions>();
  options.mode = one.mode;
  options.exchange = one.exchange;
  options.scope = one.scope();
  return plan;
}

std::string nameOf(const testing::TestParamInfo<AdasumCase>& instance) {
  return instance.param.name;
}

class AdasumMemory : public testing::TestWithParam<AdasumCase> {};
class ShardedAdasumMemory : public testing::TestWithParam<AdasumCase> {};

TEST_P(AdasumMemory, IsTheForecast) {
  RunPlan plan = planOf(GetParam());
  for (const std::int64_t bucketBytes : {1'000, 1'000'000, 8'000'000}) {
    SCOPED_TRACE(bucketBytes);
    plan.experiment.parallel.bucketBytes = bucketBytes;
    expectForecast(plan);
  }
}

TEST_P(ShardedAdasumMemory, IsTheForecast) {
  RunPlan plan = planOf(GetParam());
  const bool inServers = GetParam().mode == AdasumMode::deltas;
  for (const ShardingLevel level : {ShardingLevel::level1, ShardingLevel::level3}) {
    SCOPED_TRACE(static_cast<int>(level));
    plan.experiment.parallel.optimizerParallel = {level, inServers ? 2 : plan.ranks(), 0};
    expectForecast(plan);
  }
}

INSTANTIATE_TEST_SUITE_P(Exchanges, AdasumMemory, testing::ValuesIn(adasumCases()), nameOf);
INSTANTIATE_TEST_SUITE_P(Exchanges, ShardedAdasumMemory, testing::ValuesIn(shardedAdasumCases()), nameOf);

class ActivationMemory : public testing::TestWithParam<const char*> {};

TEST_P(ActivationMemory, WithScratchIsTheForecast) {
  for (const std::int64_t microSize : {1, 3}) {
    RunPlan plan = smallPlan(GetParam(), 1);
    plan.experiment.train.microSize = microSize;
    MemoryStore store;
    trainRanks(store, plan);
    MemoryMeter meter;
    const auto device = openDevice(cpuKind(), 0, meter);
    const auto scratch = scratchBytes(plan.experiment.network, sampleShape(plan.experiment.dataset),
                                      samplesPerPass(plan.experiment), imageType(plan.experiment), **device);
    EXPECT_EQ(measured(store, plan, "activations"), forecastOf(plan).at("activations") + scratch);
  }
}

INSTANTIATE_TEST_SUITE_P(Networks, ActivationMemory, testing::Values("mlp", "lenet5", "small_resnet"),
                         [](const auto& instance) { return std::string(instance.param); });

}  // namespace
}  // namespace slipstream
