// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <gtest/gtest.h>

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/adasum/hierarchical.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/averaged/averaged.h"
#include "tests/boost/adasum_reference.h"
#include "tests/boost/update_fixture.h"
#include "tests/boost/withheld_memory.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using test::UpdateRank;

const std::vector<std::int64_t> lengths{37, 1, 700, 3, 64, 100, 2};

struct Setting {
  AdasumMode mode = AdasumMode::gradients;
  AdasumScope scope = AdasumScope::automatic;
  AdasumExchange exchange = AdasumExchange::automatic;
  std::vector<int> servers;
  bool shareMemory = true;
  std::int64_t bucketBytes = 1024;
  double momentum = 0;
  bool overlap = true;
};

Experiment experimentOf(const Setting& setting) {
  Experiment experiment = test::plainExperiment();
  if (setting.momentum > 0) {
    experiment.optimizer.kind = OptimizerKind::momentum;
    experiment.optimizer.momentum = setting.momentum;
  }
  experiment.boost.edit<AdasumOptions>() = {setting.mode, setting.scope, setting.exchange};
  experiment.parallel.overlap = setting.overlap;
  return experiment;
}

struct Trained {
  std::vector<float> weights;
  StepOutcome outcome;
};

/// Three steps; all ranks must end with the same weights and metrics.
Trained train(const Setting& setting, test::MakeUpdate make = makeAdasum) {
  const auto layout = test::layoutOf(lengths);
  const auto experiment = experimentOf(setting);
  std::vector<Trained> results(setting.servers.size());
  test::spawnRanks(static_cast<int>(setting.servers.size()), [&](Communicator& world) {
    test::WithheldMemory withheld(world);
    Communicator& communicator = setting.shareMemory ? world : withheld;
    UpdateRank rank(communicator, layout, bucketsBySize(layout, setting.bucketBytes), experiment, setting.servers,
                    make);
    Trained& result = results[static_cast<std::size_t>(world.rank())];
    for (int step = 0; step < 3; ++step) {
      result.outcome = rank.step(test::randomGradient(layout.size(), world.rank(), step));
      EXPECT_TRUE(result.outcome.updated);
    }
    result.weights.assign(rank.weights().begin(), rank.weights().end());
  });
  for (const auto& result : results) {
    EXPECT_EQ(result.weights, results[0].weights);
    EXPECT_EQ(result.outcome.metrics, results[0].outcome.metrics);
  }
  return results[0];
}

/// The same three steps done plainly: mean inside servers, momentum and Adasum in double.
std::vector<double> expectedWeights(const Setting& setting, const AdasumGroups& groups) {
  const auto layout = test::layoutOf(lengths);
  const auto size = static_cast<std::size_t>(layout.size());
  std::vector<double> weights(size);
  const std::size_t states = setting.mode == AdasumMode::deltas ? groups.ranksOfLeaf.size() : 1;
  std::vector<std::vector<double>> momentum(states, std::vector<double>(size));
  const auto combine = [&](const std::vector<std::vector<double>>& vectors) {
    std::vector<double> combined(size);
    for (const auto& tensor : layout.tensors()) {
      std::vector<std::vector<double>> parts;
      for (const auto& vector : vectors) {
        parts.emplace_back(vector.begin() + tensor.range.begin, vector.begin() + tensor.range.end);
      }
      std::ranges::copy(test::referenceAdasum(parts), combined.begin() + tensor.range.begin);
    }
    return combined;
  };
  const auto stepped = [&](std::vector<double>& state, const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < size; ++i) state[i] = setting.momentum * state[i] + gradient[i];
    return state;
  };
  for (int step = 0; step < 3; ++step) {
    std::vector<std::vector<double>> vectors;
    for (const auto& ranks : groups.ranksOfLeaf) {
      std::vector<double> mean(size);
      for (const int rank : ranks) {
        const auto gradient = test::randomGradient(layout.size(), rank, step);
        for (std::size_t i = 0; i < size; ++i) mean[i] += gradient[i] / static_cast<double>(ranks.size());
      }
      vectors.push_back(setting.mode == AdasumMode::deltas ? stepped(momentum[vectors.size()], mean) : mean);
    }
    auto update = combine(vectors);
    if (setting.mode == AdasumMode::gradients) update = stepped(momentum[0], update);
    for (std::size_t i = 0; i < size; ++i) weights[i] -= update[i];
  }
  return weights;
}

void expectAsPlainly(const Setting& setting) {
  const auto groups = adasumGroups(setting.scope, setting.servers, 0);
  const auto result = train(setting);
  EXPECT_LE(test::relativeError(result.weights.data(), expectedWeights(setting, groups)), 1e-6);
}

std::vector<int> flat(int ranks) {
  return std::vector<int>(static_cast<std::size_t>(ranks));
}

class AdasumForms : public testing::TestWithParam<std::tuple<AdasumMode, AdasumExchange, bool>> {
 protected:
  Setting setting(std::vector<int> servers) const {
    Setting made;
    made.mode = std::get<0>(GetParam());
    made.exchange = std::get<1>(GetParam());
    made.shareMemory = std::get<2>(GetParam());
    made.servers = std::move(servers);
    return made;
  }
};

TEST_P(AdasumForms, FlatIsTheTreeOfAllRanks) {
  for (const int ranks : {1, 2, 3, 4, 8}) expectAsPlainly(setting(flat(ranks)));
}

TEST_P(AdasumForms, ServersAreAveragedInside) {
  expectAsPlainly(setting({0, 0, 1, 1}));
  expectAsPlainly(setting({0, 0, 0, 1, 2, 2}));
  expectAsPlainly(setting({1, 0, 1, 0, 0}));
}

TEST_P(AdasumForms, OneServerIsThePlainMean) {
  Setting inside = setting({0, 0, 0});
  inside.scope = AdasumScope::servers;
  EXPECT_EQ(train(inside).weights, train(inside, makeAveraged).weights);
}

TEST_P(AdasumForms, FlatScopeIgnoresServers) {
  Setting split = setting({0, 0, 1, 1});
  split.scope = AdasumScope::flat;
  EXPECT_EQ(train(split).weights, train(setting(flat(4))).weights);
}

TEST_P(AdasumForms, KeepsMomentum) {
  Setting heavy = setting({0, 0, 1});
  heavy.momentum = 0.9;
  expectAsPlainly(heavy);
}

INSTANTIATE_TEST_SUITE_P(Forms, AdasumForms,
                         testing::Values(std::tuple{AdasumMode::gradients, AdasumExchange::automatic, true},
                                         std::tuple{AdasumMode::gradients, AdasumExchange::automatic, false},
                                         std::tuple{AdasumMode::gradients, AdasumExchange::window, true},
                                         std::tuple{AdasumMode::gradients, AdasumExchange::halving, true},
                                         std::tuple{AdasumMode::gradients, AdasumExchange::gram, true},
                                         std::tuple{AdasumMode::deltas, AdasumExchange::automatic, true},
                                         std::tuple{AdasumMode::deltas, AdasumExchange::automatic, false},
                                         std::tuple{AdasumMode::deltas, AdasumExchange::halving, false},
                                         std::tuple{AdasumMode::deltas, AdasumExchange::gram, false}));

TEST(AdasumUpdate, OneRankIsThePlainOptimizerBitForBit) {
  for (const auto mode : {AdasumMode::gradients, AdasumMode::deltas}) {
    Setting alone;
    alone.mode = mode;
    alone.servers = {0};
    alone.momentum = 0.9;
    const auto result = train(alone);
    EXPECT_EQ(result.weights, train(alone, makeAveraged).weights);
    EXPECT_TRUE(result.outcome.metrics.empty());
  }
}

TEST(AdasumUpdate, OverlapAndRepetitionDoNotChangeTheBits) {
  for (const auto mode : {AdasumMode::gradients, AdasumMode::deltas}) {
    Setting setting;
    setting.mode = mode;
    setting.servers = {0, 0, 1, 2};
    const auto first = train(setting).weights;
    EXPECT_EQ(train(setting).weights, first);
    setting.overlap = false;
    EXPECT_EQ(train(setting).weights, first);
  }
}

TEST(AdasumUpdate, ShowsEveryTensor) {
  Setting setting;
  setting.servers = flat(3);
  const auto metrics = train(setting).outcome.metrics;
  EXPECT_EQ(metrics.size(), 2 * lengths.size());
  for (std::size_t t = 0; t < lengths.size(); ++t) {
    const double orthogonality = metrics.at("orthogonality/t" + std::to_string(t));
    EXPECT_GT(orthogonality, 0);
    EXPECT_LT(orthogonality, 3);
    EXPECT_LE(std::abs(metrics.at("cosine/t" + std::to_string(t))), 1);
  }
}

/// A warm-up from rate 0 moves nothing in its first step: there is no angle between nothings.
TEST(AdasumUpdate, NothingIsShownOfTensorsThatNobodyMoves) {
  const auto layout = test::layoutOf(lengths);
  for (const auto exchange : {AdasumExchange::automatic, AdasumExchange::halving, AdasumExchange::gram}) {
    Setting setting;
    setting.mode = AdasumMode::deltas;
    setting.exchange = exchange;
    auto experiment = experimentOf(setting);
    experiment.optimizer.schedule.mode = ScheduleMode::linear;
    experiment.optimizer.schedule.warmupEpochs = 1;
    test::spawnRanks(3, [&](Communicator& world) {
      UpdateRank rank(world, layout, bucketsBySize(layout, 1024), experiment, flat(3), makeAdasum);
      ASSERT_EQ(rank.update().learningRateAt(0), 0);
      const StepOutcome first = rank.step(test::randomGradient(layout.size(), world.rank(), 0));
      EXPECT_TRUE(first.updated);
      EXPECT_TRUE(first.metrics.empty());
      const StepOutcome second = rank.step(test::randomGradient(layout.size(), world.rank(), 1));
      EXPECT_EQ(second.metrics.size(), 2 * lengths.size());
      for (const auto& [name, value] : second.metrics) EXPECT_TRUE(std::isfinite(value)) << name;
    });
  }
}

TEST(AdasumUpdate, StateDiffersPerRankOnlyForDeltas) {
  const auto layout = test::layoutOf(lengths);
  for (const auto mode : {AdasumMode::gradients, AdasumMode::deltas}) {
    Setting setting;
    setting.mode = mode;
    setting.momentum = 0.9;
    const auto experiment = experimentOf(setting);
    test::spawnRanks(2, [&](Communicator& world) {
      UpdateRank rank(world, layout, bucketsBySize(layout, 1024), experiment, {0, 0}, makeAdasum);
      const auto state = rank.update().state();
      ASSERT_EQ(state.size(), 1U);
      EXPECT_EQ(state[0].perRank, mode == AdasumMode::deltas);
      EXPECT_EQ(state[0].values.size(), static_cast<std::size_t>(layout.size()));
    });
  }
}

TEST(AdasumUpdate, AnOverflowAnywhereChangesNothingAnywhere) {
  const auto layout = test::layoutOf(lengths);
  for (const auto mode : {AdasumMode::gradients, AdasumMode::deltas}) {
    Setting setting;
    setting.mode = mode;
    setting.momentum = 0.9;
    const auto experiment = experimentOf(setting);
    test::spawnRanks(3, [&](Communicator& world) {
      UpdateRank rank(world, layout, bucketsBySize(layout, 1024), experiment, {0, 0, 1}, makeAdasum);
      rank.step(test::randomGradient(layout.size(), world.rank(), 0));
      const std::vector<float> weights(rank.weights().begin(), rank.weights().end());
      const auto state = rank.update().state();
      const std::vector<float> momentum(state[0].values.begin(), state[0].values.end());

      auto gradient = test::randomGradient(layout.size(), world.rank(), 1);
      if (world.rank() == 1) gradient[40] = NAN;
      EXPECT_TRUE(rank.step(gradient, world.rank() == 1).overflow);
      EXPECT_TRUE(std::equal(weights.begin(), weights.end(), rank.weights().begin()));
      EXPECT_TRUE(std::equal(momentum.begin(), momentum.end(), state[0].values.begin()));
      EXPECT_TRUE(rank.step(test::randomGradient(layout.size(), world.rank(), 1)).updated);
      EXPECT_TRUE(std::isfinite(rank.weights()[40]));
    });
  }
}

TEST(AdasumUpdate, CountsItsMemory) {
  const auto layout = test::layoutOf(lengths);
  Setting setting;
  setting.mode = AdasumMode::deltas;
  const auto experiment = experimentOf(setting);
  test::spawnRanks(2, [&](Communicator& world) {
    UpdateRank rank(world, layout, bucketsBySize(layout, 4096), experiment, {0, 0}, makeAdasum);
    const auto held = rank.meter().peak();
    EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::weights)], 4 * layout.size());
    EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::gradients)], 4 * layout.size());
    // One bucket's weights, and three dot products of two leaves a tensor, plain and exact.
    const auto sums = static_cast<std::int64_t>(lengths.size()) * 3 * 3 * 8;
    EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::boost)], 4 * layout.size() + sums);
  });
}

TEST(AdasumUpdate, SharedMemoryThatCannotBeIsAnError) {
  Setting setting;
  setting.servers = flat(2);
  setting.exchange = AdasumExchange::window;
  setting.shareMemory = false;
  EXPECT_THROW(train(setting), std::runtime_error);
}

TEST(AdasumGroups, AutomaticFollowsTheServers) {
  EXPECT_EQ(adasumGroups(AdasumScope::automatic, {0, 0, 0}, 1).leaves(), 3);
  const auto groups = adasumGroups(AdasumScope::automatic, {1, 0, 1}, 2);
  EXPECT_EQ(groups.ranksOfLeaf, (std::vector<std::vector<int>>{{1}, {0, 2}}));
  EXPECT_EQ(groups.leafOfMine, 1);
  EXPECT_EQ(groups.leaders(), (std::vector{1, 0}));
  EXPECT_EQ(adasumGroups(AdasumScope::flat, {1, 0, 1}, 2).leaves(), 3);
}

}  // namespace
}  // namespace slipstream
