// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/averaged.h"

#include <cmath>
#include <mutex>

#include <gtest/gtest.h>

#include "tests/boost/update_fixture.h"
#include "tests/boost/withheld_memory.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using test::UpdateRank;

const std::vector<std::int64_t> averagedLengths{37, 1, 5000, 3, 64, 1000, 2};

std::vector<float> meanGradient(std::int64_t length, int ranks, int step) {
  std::vector<float> mean(static_cast<std::size_t>(length));
  for (int rank = 0; rank < ranks; ++rank) {
    const auto gradient = test::randomGradient(length, rank, step);
    for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += gradient[i];
  }
  for (float& value : mean) value *= 1.0F / static_cast<float>(ranks);
  return mean;
}

/// Weights of rank 0 after three steps, having checked that all ranks' are the same.
std::vector<float> trainThreeSteps(int ranks, const Experiment& experiment, std::int64_t bucketBytes,
                                   bool shareMemory = true) {
  const auto layout = test::layoutOf(averagedLengths);
  std::vector<std::vector<float>> results(static_cast<std::size_t>(ranks));
  test::spawnRanks(ranks, [&](Communicator& world) {
    test::WithheldMemory withheld(world);
    Communicator& communicator = shareMemory ? world : withheld;
    UpdateRank rank(communicator, layout, bucketsBySize(layout, bucketBytes), experiment,
                    std::vector<int>(static_cast<std::size_t>(ranks)), makeAveraged);
    for (int step = 0; step < 3; ++step) {
      EXPECT_TRUE(rank.step(test::randomGradient(layout.size(), world.rank(), step)).updated);
    }
    results[static_cast<std::size_t>(world.rank())].assign(rank.weights().begin(), rank.weights().end());
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]);
  return results[0];
}

class AveragedRanks : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(AveragedRanks, IsThePlainMean) {
  const auto [ranks, shareMemory] = GetParam();
  const auto weights = trainThreeSteps(ranks, test::plainExperiment(), 4096, shareMemory);
  std::vector<float> expected(weights.size());
  for (int step = 0; step < 3; ++step) {
    const auto mean = meanGradient(static_cast<std::int64_t>(weights.size()), ranks, step);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= mean[i];
  }
  for (std::size_t i = 0; i < expected.size(); ++i) ASSERT_NEAR(weights[i], expected[i], 1e-6) << i;
}

INSTANTIATE_TEST_SUITE_P(Counts, AveragedRanks, testing::Combine(testing::Values(1, 2, 3, 4, 8), testing::Bool()));

TEST(Averaged, OneRankIsTheOptimizerBitForBit) {
  const auto weights = trainThreeSteps(1, test::plainExperiment(), 4096);
  std::vector<float> expected(weights.size());
  for (int step = 0; step < 3; ++step) {
    const auto gradient = test::randomGradient(static_cast<std::int64_t>(weights.size()), 0, step);
    for (std::size_t i = 0; i < expected.size(); ++i) expected[i] -= gradient[i];
  }
  EXPECT_EQ(weights, expected);
}

class FrozenRanks : public testing::TestWithParam<std::tuple<int, bool>> {};

TEST_P(FrozenRanks, FrozenTensorsStandStillAndTheOthersStepAsEver) {
  const auto [ranks, shareMemory] = GetParam();
  const auto layout = test::layoutOf(averagedLengths);
  const StepPlan upper{.firstTrainedLayer = 4};  // t0, t1 and t2, in the middle of a bucket
  const std::int64_t trained = layout.rangeFromLayer(4).end;
  ASSERT_EQ(trained, 37 + 1 + 5000);
  test::spawnRanks(ranks, [&, share = shareMemory](Communicator& world) {
    test::WithheldMemory withheld(world);
    Communicator& communicator = share ? world : withheld;
    const std::vector<int> servers(static_cast<std::size_t>(world.size()));
    const auto experiment = test::plainExperiment();
    UpdateRank frozen(communicator, layout, bucketsBySize(layout, 20'400), experiment, servers, makeAveraged);
    UpdateRank whole(communicator, layout, bucketsBySize(layout, 20'400), experiment, servers, makeAveraged);
    for (int step = 0; step < 4; ++step) {  // whole and frozen steps in turn
      const auto gradient = test::randomGradient(layout.size(), world.rank(), step);
      frozen.step(gradient, false, step % 2 == 0 ? StepPlan{} : upper);
      whole.step(gradient);
      const auto before = static_cast<std::size_t>(trained);
      for (std::size_t i = 0; i < before; ++i) ASSERT_EQ(frozen.weights()[i], whole.weights()[i]) << i;
    }
    UpdateRank twice(communicator, layout, bucketsBySize(layout, 20'400), experiment, servers, makeAveraged);
    for (const int step : {0, 2}) twice.step(test::randomGradient(layout.size(), world.rank(), step));
    for (auto i = static_cast<std::size_t>(trained); i < twice.weights().size(); ++i) {
      ASSERT_EQ(frozen.weights()[i], twice.weights()[i]) << i;
    }
  });
}

INSTANTIATE_TEST_SUITE_P(Counts, FrozenRanks, testing::Combine(testing::Values(1, 2, 3, 8), testing::Bool()));

TEST(Averaged, SumIsTheMeanTimesTheRanks) {
  auto experiment = test::plainExperiment();
  const auto mean = trainThreeSteps(4, experiment, 4096);
  experiment.parallel.gradientsMean = false;
  const auto sum = trainThreeSteps(4, experiment, 4096);
  for (std::size_t i = 0; i < mean.size(); ++i) ASSERT_EQ(sum[i], 4.0F * mean[i]) << i;
}

TEST(Averaged, OverlapAndBucketsDoNotChangeTheBits) {
  auto experiment = test::plainExperiment();
  const auto overlapped = trainThreeSteps(3, experiment, 64);
  experiment.parallel.overlap = false;
  EXPECT_EQ(trainThreeSteps(3, experiment, 64), overlapped);
  EXPECT_EQ(trainThreeSteps(3, experiment, 1 << 20), overlapped);
}

TEST(Averaged, AnOverflowAnywhereChangesNothingAnywhere) {
  const auto layout = test::layoutOf(averagedLengths);
  auto experiment = test::plainExperiment();
  experiment.optimizer.kind = OptimizerKind::momentum;
  experiment.optimizer.momentum = 0.9;
  test::spawnRanks(3, [&](Communicator& world) {
    UpdateRank rank(world, layout, bucketsBySize(layout, 4096), experiment, {0, 0, 0}, makeAveraged);
    rank.step(test::randomGradient(layout.size(), world.rank(), 0));
    const std::vector<float> weights(rank.weights().begin(), rank.weights().end());
    const auto state = rank.update().state();
    ASSERT_EQ(state.size(), 1U);
    EXPECT_FALSE(state[0].perRank);
    const std::vector<float> momentum(state[0].values.begin(), state[0].values.end());

    auto gradient = test::randomGradient(layout.size(), world.rank(), 1);
    if (world.rank() == 2) gradient[7] = INFINITY;
    const auto outcome = rank.step(gradient, world.rank() == 2);
    EXPECT_TRUE(outcome.overflow);
    EXPECT_FALSE(outcome.updated);
    EXPECT_TRUE(std::equal(weights.begin(), weights.end(), rank.weights().begin()));
    EXPECT_TRUE(std::equal(momentum.begin(), momentum.end(), state[0].values.begin()));
  });
}

TEST(Averaged, CountsItsMemory) {
  const auto layout = test::layoutOf(averagedLengths);
  const auto experiment = test::plainExperiment();
  test::spawnRanks(2, [&](Communicator& world) {
    UpdateRank rank(world, layout, bucketsBySize(layout, 4096), experiment, {0, 0}, makeAveraged);
    const auto held = rank.meter().peak();
    EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::weights)], 4 * layout.size());
    EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::gradients)], 4 * layout.size());
    EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::boost)], 0);
  });
}

}  // namespace
}  // namespace slipstream
