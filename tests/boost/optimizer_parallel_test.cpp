// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/averaged/averaged.h"
#include "tests/boost/host_memory.h"
#include "tests/boost/update_fixture.h"
#include "tests/boost/withheld_memory.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using test::UpdateRank;

const std::vector<std::int64_t> shardedLengths{37, 1, 5000, 3, 64, 1000, 2};
constexpr ShardingLevel levels[] = {ShardingLevel::level1, ShardingLevel::level2, ShardingLevel::level3};

/// Momentum, weight decay, a rate that changes.
Experiment shardedExperiment(ShardingLevel level, int ranks, int shardSize, std::int64_t threshold) {
  auto experiment = test::plainExperiment();
  experiment.optimizer.kind = OptimizerKind::momentum;
  experiment.optimizer.momentum = 0.9;
  experiment.optimizer.weightDecay = 0.01;
  experiment.optimizer.schedule.mode = ScheduleMode::linear;
  experiment.optimizer.schedule.maximum = 0.1;
  experiment.parallel.ranks = ranks;
  experiment.parallel.optimizerParallel = {level, shardSize, threshold};
  return experiment;
}

/// Starting weights, by position in the flat space.
float startAt(std::int64_t position) {
  return static_cast<float>(std::sin(static_cast<double>(position)));
}

/// One rank of a run, with weights that start somewhere.
class Trained {
 public:
  Trained(Communicator& communicator, const ParameterLayout& layout, const Experiment& experiment,
          test::MakeUpdate make, std::int64_t bucketBytes = 4096, std::vector<int> servers = {},
          const HostLayout& hosts = {})
      : layout_(layout),
        rank_(communicator, layout, bucketsBySize(layout, bucketBytes), experiment,
              servers.empty() ? std::vector<int>(static_cast<std::size_t>(communicator.size())) : servers, make,
              nullptr, hosts) {
    for (const PinnedRange& kept : rank_.update().weights().kept()) {
      for (std::int64_t i = 0; i < kept.range.size(); ++i) {
        kept.values[static_cast<std::size_t>(i)] = startAt(kept.range.begin + i);
      }
    }
  }

  UpdateRank& operator*() { return rank_; }
  UpdateRank* operator->() { return &rank_; }

  /// Tensor by tensor: more may not be gathered at once.
  std::vector<float> weights() {
    std::vector<float> all;
    for (const FlatTensor& tensor : layout_.tensors()) {
      const auto values = rank_.update().weights().acquire(tensor.range);
      all.insert(all.end(), values.begin(), values.end());
      rank_.update().weights().release(tensor.range);
    }
    return all;
  }

 private:
  const ParameterLayout& layout_;
  UpdateRank rank_;
};

struct Case {
  int ranks;
  int shardSize;
  std::int64_t threshold;
};

void PrintTo(const Case& value, std::ostream* out) {
  *out << value.ranks << "ranks" << value.shardSize << "shards" << value.threshold << "KB";
}

class ShardedRanks : public testing::TestWithParam<std::tuple<Case, bool>> {};

/// Ordinary steps, steps with frozen layers, and one that overflows; compared after each.
TEST_P(ShardedRanks, StepsAreThoseOfAveragedBitForBit) {
  const auto [chosen, shareMemory] = GetParam();
  const auto layout = test::layoutOf(shardedLengths);
  for (const ShardingLevel level : levels) {
    SCOPED_TRACE(static_cast<int>(level));
    const auto experiment = shardedExperiment(level, chosen.ranks, chosen.shardSize, chosen.threshold);
    test::spawnRanks(chosen.ranks, [&, share = shareMemory](Communicator& world) {
      test::WithheldMemory withheld(world);
      Trained averaged(world, layout, experiment, makeAveraged);
      Trained sharded(share ? world : withheld, layout, experiment, makeOptimizerParallel);
      for (int step = 0; step < 7; ++step) {
        const StepPlan plan{.firstTrainedLayer = step % 3 == 1 ? 4 : 0};
        const bool overflow = step == 4 && world.rank() == world.size() - 1;
        auto gradient = test::randomGradient(layout.size(), world.rank(), step);
        if (overflow) gradient[5] = INFINITY;
        averaged->step(gradient, overflow, plan);
        EXPECT_EQ(sharded->step(gradient, overflow, plan).overflow, step == 4);
        ASSERT_EQ(sharded.weights(), averaged.weights()) << step;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Cases, ShardedRanks,
                         testing::Combine(testing::Values(Case{1, 1, 0}, Case{2, 2, 0}, Case{3, 3, 0}, Case{4, 4, 0},
                                                          Case{6, 6, 0}, Case{8, 8, 0}, Case{8, 8, 1}, Case{3, 3, 4},
                                                          Case{3, 3, 64}, Case{4, 2, 0}, Case{4, 2, 1}, Case{6, 2, 1},
                                                          Case{6, 3, 0}, Case{8, 4, 1}, Case{4, 1, 0}),
                                          testing::Bool()));

struct HostCase {
  std::vector<std::string> hosts;
  int shardSize;
  std::int64_t threshold;
};

class ShardedHosts : public testing::TestWithParam<HostCase> {};

/// As above, with tensors of several messages.
TEST_P(ShardedHosts, StepsAreThoseOfAveragedBitForBit) {
  const HostCase& chosen = GetParam();
  const auto layout = test::layoutOf({37, 1, 100'003, 3, 64, 1000, 2});
  const HostLayout hosts(chosen.hosts);
  const int ranks = static_cast<int>(chosen.hosts.size());
  for (const ShardingLevel level : levels) {
    SCOPED_TRACE(static_cast<int>(level));
    auto experiment = shardedExperiment(level, ranks, chosen.shardSize, chosen.threshold);
    experiment.parallel.exchange = GradientExchange::hosts;
    test::spawnRanks(ranks, [&](Communicator& world) {
      test::HostMemory apart(world, chosen.hosts);
      Trained averaged(apart, layout, experiment, makeAveraged, 4096, {}, hosts);
      Trained sharded(apart, layout, experiment, makeOptimizerParallel, 4096, {}, hosts);
      EXPECT_EQ(sharded->update().exchange(), "slices, hosts " + hosts.text());
      for (int step = 0; step < 5; ++step) {
        const StepPlan plan{.firstTrainedLayer = step % 3 == 1 ? 4 : 0};
        auto gradient = test::randomGradient(layout.size(), world.rank(), step);
        averaged->step(gradient, step == 3, plan);
        sharded->step(gradient, step == 3, plan);
        ASSERT_EQ(sharded.weights(), averaged.weights()) << step;
      }
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Layouts, ShardedHosts,
                         testing::Values(HostCase{{"a", "b"}, 2, 0}, HostCase{{"a", "a", "b", "b"}, 4, 0},
                                         HostCase{{"a", "a", "b", "b"}, 2, 1}, HostCase{{"a", "b", "a", "b"}, 2, 0},
                                         HostCase{{"a", "b", "b", "b"}, 4, 1},
                                         HostCase{{"c", "a", "b", "a", "c", "a"}, 3, 0},
                                         HostCase{{"a", "a", "b", "b", "c", "c"}, 6, 64}));

TEST(Sharded, BucketsOverlapAndSumsChangeNothing) {
  const auto layout = test::layoutOf(shardedLengths);
  for (const ShardingLevel level : levels) {
    for (const bool mean : {true, false}) {
      auto experiment = shardedExperiment(level, 3, -1, 0);
      experiment.parallel.gradientsMean = mean;
      auto waiting = experiment;
      waiting.parallel.overlap = false;
      test::spawnRanks(3, [&](Communicator& world) {
        test::WithheldMemory withheld(world);
        Trained averaged(world, layout, experiment, makeAveraged);
        Trained large(world, layout, experiment, makeOptimizerParallel, 1 << 20);
        Trained shared(world, layout, waiting, makeOptimizerParallel, 64);
        Trained sent(withheld, layout, waiting, makeOptimizerParallel, 64);
        for (int step = 0; step < 3; ++step) {
          const auto gradient = test::randomGradient(layout.size(), world.rank(), step);
          for (Trained* one : {&averaged, &large, &shared, &sent}) (*one)->step(gradient);
        }
        for (Trained* one : {&large, &shared, &sent}) EXPECT_EQ(one->weights(), averaged.weights());
      });
    }
  }
}

/// Whole steps, one with frozen layers and one that overflows; compared after each.
void expectSameSteps(Trained& whole, Trained& sharded, const ParameterLayout& layout, int rank) {
  for (int step = 0; step < 4; ++step) {
    const StepPlan plan{.firstTrainedLayer = step == 1 ? 4 : 0};
    const auto gradient = test::randomGradient(layout.size(), rank, step);
    const auto expected = whole->step(gradient, step == 2, plan);
    EXPECT_EQ(sharded->step(gradient, step == 2, plan).metrics, expected.metrics);
    ASSERT_EQ(sharded.weights(), whole.weights()) << step;
  }
}

class ShardedAdasum : public testing::TestWithParam<std::tuple<int, std::vector<int>, bool>> {};

TEST_P(ShardedAdasum, OfGradientsStepsAsUnshardedBitForBit) {
  const auto [ranks, servers, shareMemory] = GetParam();
  const auto layout = test::layoutOf(shardedLengths);
  for (const ShardingLevel level : levels) {
    auto experiment = shardedExperiment(level, ranks, -1, 1);
    experiment.boost.setOn("adasum", true);
    experiment.boost.edit<AdasumOptions>().mode = AdasumMode::gradients;
    test::spawnRanks(ranks, [&, share = shareMemory, server = servers](Communicator& world) {
      test::WithheldMemory withheld(world);
      Communicator& communicator = share ? world : withheld;
      Trained adasum(communicator, layout, experiment, makeAdasum, 4096, server);
      Trained sharded(communicator, layout, experiment, makeOptimizerParallel, 4096, server);
      expectSameSteps(adasum, sharded, layout, world.rank());
      EXPECT_EQ(sharded->update().exchange(), adasum->update().exchange());
    });
  }
}

struct DeltasCase {
  std::vector<int> servers;
  int shardSize;
};

class ShardedAdasumOfDeltas : public testing::TestWithParam<std::tuple<DeltasCase, bool>> {};

TEST_P(ShardedAdasumOfDeltas, BetweenServersStepsAsUnshardedBitForBit) {
  const auto [chosen, shareMemory] = GetParam();
  const auto layout = test::layoutOf(shardedLengths);
  const int ranks = static_cast<int>(chosen.servers.size());
  for (const ShardingLevel level : levels) {
    auto experiment = shardedExperiment(level, ranks, chosen.shardSize, 1);
    experiment.boost.setOn("adasum", true);
    experiment.boost.edit<AdasumOptions>().mode = AdasumMode::deltas;
    experiment.boost.edit<AdasumOptions>().scope = AdasumScope::servers;
    test::spawnRanks(ranks, [&, share = shareMemory, server = chosen.servers](Communicator& world) {
      test::WithheldMemory withheld(world);
      Communicator& communicator = share ? world : withheld;
      Trained adasum(communicator, layout, experiment, makeAdasum, 4096, server);
      Trained sharded(communicator, layout, experiment, makeOptimizerParallel, 4096, server);
      expectSameSteps(adasum, sharded, layout, world.rank());
      EXPECT_TRUE(sharded->update().state()[0].perRank);
    });
  }
}

INSTANTIATE_TEST_SUITE_P(
    Cases, ShardedAdasumOfDeltas,
    testing::Combine(testing::Values(DeltasCase{{0, 0, 1, 1}, 2}, DeltasCase{{0, 0, 0, 1, 1, 1}, 3},
                                     DeltasCase{{0, 1, 0, 1}, 2}, DeltasCase{{0, 0, 0, 0, 1, 1, 2, 2}, 2}),
                     testing::Bool()));
INSTANTIATE_TEST_SUITE_P(Cases, ShardedAdasum,
                         testing::Combine(testing::Values(4),
                                          testing::Values(std::vector{0, 0, 0, 0}, std::vector{0, 0, 0, 1}),
                                          testing::Bool()));
INSTANTIATE_TEST_SUITE_P(Three, ShardedAdasum,
                         testing::Combine(testing::Values(3), testing::Values(std::vector{0, 0, 0}), testing::Bool()));

/// Backward of one micro-batch: added to what is there, or instead of it.
void backward(Update& update, const ParameterLayout& layout, const std::vector<float>& gradient, int index, bool last) {
  const bool add = update.traits().keepsWholeGradient && index > 0;
  for (const FlatTensor& tensor : layout.tensors()) {
    const auto memory = update.gradients().acquire(tensor.range);
    for (std::size_t i = 0; i < memory.size(); ++i) {
      const float value = gradient[static_cast<std::size_t>(tensor.range.begin) + i];
      memory[i] = add ? memory[i] + value : value;
    }
    update.gradients().release(tensor.range);
    update.gradientReady(tensor.range, index, last);
    update.progress();
  }
}

class NothingOverflows final : public StepContext {
 public:
  explicit NothingOverflows(std::int64_t updatesDone) : updatesDone_(updatesDone) {}
  const StepPlan& plan() const override { return plan_; }
  std::int64_t updatesDone() const override { return updatesDone_; }
  bool overflowVote() override { return false; }
  double meanLoss() override { return 0; }
  double trialLoss() override { return 0; }
  double exchangeSeconds() const override { return 0; }

 private:
  StepPlan plan_;
  std::int64_t updatesDone_;
};

void stepInMicroBatches(Update& update, const ParameterLayout& layout, int rank, int step, int count) {
  const StepPlan plan{.microBatches = count};
  update.begin(plan);
  for (int i = 0; i < count; ++i) {
    backward(update, layout, test::randomGradient(layout.size(), rank, 10 * step + i), i, i + 1 == count);
  }
  NothingOverflows context(step);
  update.finish(context);
}

class ShardedMicroBatches : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(ShardedMicroBatches, AreAddedUpToRounding) {
  const auto [ranks, shareMemory] = GetParam();
  const auto layout = test::layoutOf(shardedLengths);
  for (const ShardingLevel level : levels) {
    const auto experiment = shardedExperiment(level, ranks, -1, 1);
    test::spawnRanks(ranks, [&, share = shareMemory](Communicator& world) {
      test::WithheldMemory withheld(world);
      Trained averaged(world, layout, experiment, makeAveraged);
      Trained sharded(share ? world : withheld, layout, experiment, makeOptimizerParallel);
      for (int step = 0; step < 4; ++step) {
        const int count = 1 + step;
        stepInMicroBatches(averaged->update(), layout, world.rank(), step, count);
        stepInMicroBatches(sharded->update(), layout, world.rank(), step, count);
      }
      const auto expected = averaged.weights();
      const auto weights = sharded.weights();
      for (std::size_t i = 0; i < weights.size(); ++i) ASSERT_NEAR(weights[i], expected[i], 2e-6) << i;
    });
  }
}

INSTANTIATE_TEST_SUITE_P(Counts, ShardedMicroBatches,
                         testing::Combine(testing::Values(1, 2, 3, 4, 8), testing::Bool()));

/// The bytes of the published comparison of levels: 8 ranks, seed MLP, momentum in fp32.
class ShardedBytes : public testing::TestWithParam<std::tuple<ShardingLevel, std::int64_t, std::int64_t>> {};

TEST_P(ShardedBytes, OfTheSeedMlpAtEightRanks) {
  const auto [level, threshold, expected] = GetParam();
  const auto shape = networkShape(*builtInNetwork("mlp"), {28, 28, 1});
  ASSERT_TRUE(shape);
  const ParameterLayout layout(*shape);
  const auto experiment = shardedExperiment(level, 8, -1, threshold);
  test::spawnRanks(8, [&, bytes = expected](Communicator& world) {
    for (const bool share : {true, false}) {
      test::WithheldMemory withheld(world);
      Trained rank(share ? world : withheld, layout, experiment, makeOptimizerParallel);
      const auto held = rank->meter().peak();
      std::int64_t sum = 0;
      for (const auto category : {MemoryCategory::weights, MemoryCategory::gradients, MemoryCategory::optimizerState}) {
        sum += held[static_cast<std::size_t>(category)];
      }
      EXPECT_EQ(sum, bytes);
    }
  });
}

constexpr std::int64_t whole = 4 * 669706;
constexpr std::int64_t paddedShard = 4 * (669706 + 6) / 8;  // the last bias has 10 values: 2 a rank, 16 in all
constexpr std::int64_t largeShard = 4 * 89098;              // with tensors under 64 KB whole
INSTANTIATE_TEST_SUITE_P(Levels, ShardedBytes,
                         testing::Values(std::tuple{ShardingLevel::level1, 0, 2 * whole + paddedShard},
                                         std::tuple{ShardingLevel::level2, 0, whole + 2 * paddedShard},
                                         std::tuple{ShardingLevel::level3, 0, 3 * paddedShard},
                                         std::tuple{ShardingLevel::level1, 64, 2 * whole + largeShard},
                                         std::tuple{ShardingLevel::level2, 64, whole + 2 * largeShard},
                                         std::tuple{ShardingLevel::level3, 64, 3 * largeShard}));

/// As between hosts, where one rank hears late that anything has arrived: only when it waits.
class HearsLate final : public test::WithheldMemory {
 public:
  using WithheldMemory::WithheldMemory;

  std::unique_ptr<Request> startExchange(std::span<const std::span<const std::byte>> out,
                                         std::span<const std::span<std::byte>> in) override {
    return std::make_unique<Late>(WithheldMemory::startExchange(out, in));
  }

 private:
  class Late final : public Request {
   public:
    explicit Late(std::unique_ptr<Request> request) : request_(std::move(request)) {}
    bool done() override { return false; }
    void wait() override { request_->wait(); }

   private:
    std::unique_ptr<Request> request_;
  };
};

/// Weights are gathered by the communicator that gradients leave through: its exchanges meet in the order of starting.
TEST(Sharded, ExchangesStartInOneOrderWhateverHasArrived) {
  const auto layout = test::layoutOf({500, 300, 200, 100, 50});
  const auto experiment = shardedExperiment(ShardingLevel::level3, 2, -1, 0);
  test::spawnRanks(2, [&](Communicator& world) {
    test::WithheldMemory prompt(world);
    HearsLate late(world);
    const bool isLate = world.rank() == 1;
    Trained averaged(world, layout, experiment, makeAveraged);
    Trained sharded(isLate ? static_cast<Communicator&>(late) : prompt, layout, experiment, makeOptimizerParallel);
    for (int step = 0; step < 3; ++step) {
      const auto gradient = test::randomGradient(layout.size(), world.rank(), step);
      averaged->step(gradient);
      sharded->step(gradient, false, {}, true);
      ASSERT_EQ(sharded.weights(), averaged.weights()) << step;
    }
  });
}

TEST(Sharded, MomentumIsEachRanksOwnShard) {
  const auto layout = test::layoutOf(shardedLengths);
  const auto experiment = shardedExperiment(ShardingLevel::level1, 3, -1, 1);
  test::spawnRanks(3, [&](Communicator& world) {
    Trained rank(world, layout, experiment, makeOptimizerParallel);
    rank->step(test::randomGradient(layout.size(), world.rank(), 0));
    const auto state = rank->update().state();
    ASSERT_EQ(state.size(), 1U);
    EXPECT_EQ(state[0].name, "momentum");
    EXPECT_TRUE(state[0].perRank);
    EXPECT_EQ(state[0].values.size(), 37U + 1 + 1667 + 3 + 64 + 334 + 2);
    EXPECT_EQ(rank->update().exchange(), "slices");
  });
}

TEST(Sharded, LayersAreGatheredOneAtATime) {
  const auto layout = test::layoutOf(shardedLengths);
  const auto experiment = shardedExperiment(ShardingLevel::level3, 2, -1, 0);
  test::spawnRanks(2, [&](Communicator& world) {
    Trained rank(world, layout, experiment, makeOptimizerParallel);
    ParameterStore& weights = rank->update().weights();
    EXPECT_ANY_THROW(weights.acquire({0, layout.size()}));
    weights.acquire({0, 37});
    EXPECT_ANY_THROW(weights.acquire({37, 38}));
    weights.release({0, 37});
    EXPECT_ANY_THROW(weights.acquire({0, 36}));
  });
}

}  // namespace
}  // namespace slipstream
