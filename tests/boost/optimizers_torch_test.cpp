// SPDX-License-Identifier: GPL-3.0-or-later
// Optimizers and clipping against weights that PyTorch reached in 100 steps (tests/cases/optimizers/make_torch.py).
#include <cmath>
#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "engine/boost/averaged/averaged.h"
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"
#include "tests/boost/reference_optimizer.h"
#include "tests/boost/update_fixture.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using nlohmann::json;

json torchCases() {
  std::ifstream file(std::string(SLIPSTREAM_SOURCE) + "/tests/cases/optimizers/torch.json");
  return json::parse(file);
}

Experiment experimentOf(const json& one, int level, int ranks) {
  const auto kind = std::ranges::find(optimizerInfos, one.at("name").get<std::string>(),
                                      [](const OptimizerInfo& info) { return std::string(info.name); });
  Experiment experiment;
  OptimizerSpec& optimizer = experiment.optimizer;
  optimizer = test::specOfKind(kind->kind);
  const json& settings = one.at("settings");
  optimizer.momentum = settings.value("momentum", optimizer.momentum);
  optimizer.nesterov = settings.value("nesterov", false);
  optimizer.weightDecay = settings.at("weight_decay");
  optimizer.beta1 = settings.value("beta1", optimizer.beta1);
  optimizer.beta2 = settings.value("beta2", optimizer.beta2);
  optimizer.epsilon = settings.value("eps", optimizer.epsilon);
  optimizer.clipNorm = one.at("clip_norm");
  optimizer.schedule.mode = ScheduleMode::linear;
  optimizer.schedule.maximum = 0.01;
  experiment.parallel.ranks = ranks;
  experiment.parallel.optimizerParallel = {static_cast<ShardingLevel>(level), ranks, 0};
  return experiment;
}

/// The same on every rank, in the order of the layout.
template <class Value>
std::vector<float> valuesOf(const std::vector<std::int64_t>& sizes, const Value& value) {
  std::vector<float> all;
  for (std::size_t t = 0; t < sizes.size(); ++t) {
    for (std::int64_t i = 0; i < sizes[t]; ++i) {
      all.push_back(static_cast<float>(value(static_cast<double>(t), static_cast<double>(i))));
    }
  }
  return all;
}

void startAt(Update& update, const std::vector<float>& start) {
  for (const PinnedRange& kept : update.weights().kept()) {
    std::copy_n(start.begin() + kept.range.begin, kept.range.size(), kept.values.begin());
  }
}

class AgainstTorch : public testing::TestWithParam<std::pair<int, int>> {};

TEST_P(AgainstTorch, AHundredStepsReachTheSameWeights) {
  const auto [level, ranks] = GetParam();
  const json file = torchCases();
  const auto sizes = file.at("sizes").get<std::vector<std::int64_t>>();
  const auto layout = test::layoutOf(sizes);
  const int steps = file.at("steps");
  ASSERT_EQ(file.at("cases").size(), 5U);
  for (const json& one : file.at("cases")) {
    const Experiment experiment = experimentOf(one, level, ranks);
    std::vector<double> expected;
    for (const json& tensor : one.at("weights")) expected.insert(expected.end(), tensor.begin(), tensor.end());
    test::spawnRanks(ranks, [&, level = level](Communicator& world) {
      test::UpdateRank rank(world, layout, bucketsBySize(layout, 1000), experiment,
                            std::vector<int>(static_cast<std::size_t>(world.size())),
                            level == 0 ? makeAveraged : makeOptimizerParallel);
      startAt(rank.update(), valuesOf(sizes, [](double t, double i) { return 0.5 * std::sin(1.0 + t + 3.0 * i); }));
      for (int step = 0; step < steps; ++step) {
        const auto outcome = rank.step(
            valuesOf(sizes, [&](double t, double i) { return (0.2 + t) * std::sin(0.7 * i + 1.3 * step + t); }));
        if (step < 3 && experiment.optimizer.clipNorm > 0) {
          EXPECT_NEAR(outcome.metrics.at("gradient_norm"),
                      one.at("norms").at(static_cast<std::size_t>(step)).get<double>(), 1e-6);
        }
      }
      std::size_t i = 0;
      for (const FlatTensor& tensor : layout.tensors()) {
        const auto weights = rank.update().weights().acquire(tensor.range);
        for (const float weight : weights) {
          ASSERT_NEAR(weight, expected[i], 1e-6) << one.at("name") << ", weight " << i;
          ++i;
        }
        rank.update().weights().release(tensor.range);
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, AgainstTorch,
                         testing::Values(std::pair{0, 1}, std::pair{0, 2}, std::pair{0, 3}, std::pair{0, 8},
                                         std::pair{1, 2}, std::pair{2, 3}, std::pair{3, 8}));

}  // namespace
}  // namespace slipstream
