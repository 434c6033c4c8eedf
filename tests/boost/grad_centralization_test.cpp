// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_centralization/grad_centralization.h"

#include <cmath>

#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "tests/boost/update_fixture.h"
#include "tests/nn/shapes.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

/// `values` without the means of gradient + decay * weights over the rows of the part.
std::vector<float> withoutMeans(std::vector<float> values, const std::vector<float>& weights, double decay,
                                RowsSegment part) {
  std::vector<double> sums(part.rows());
  cpuGradCentralizationKernels().sumRows(hostQueue(), values.data(), weights.data(), decay, part, sums.data());
  cpuGradCentralizationKernels().subtractMeans(hostQueue(), values.data(), part, sums.data());
  return values;
}

TEST(RowMeans, ByHand) {
  const std::vector<float> weights{3, 3, 3, 1, 2, 0};
  const std::vector<float> values{1, 2, 3, -4, 0, 4};
  EXPECT_EQ(withoutMeans(values, {}, 0, {0, 6, 3}), (std::vector<float>{-1, 0, 1, -4, 0, 4}));
  EXPECT_EQ(withoutMeans(values, weights, 2, {0, 6, 3}), (std::vector<float>{-7, -6, -5, -6, -2, 2}));
}

TEST(RowMeans, APartOfARowCountsAsThatPart) {
  // The second half of a row of four, a whole row, and the first element of a third one.
  const RowsSegment part{2, 7, 4};
  EXPECT_EQ(part.rows(), 3U);
  const std::vector<float> values{4, 8, 1, 2, 3, 2, 40};
  EXPECT_EQ(withoutMeans(values, {}, 0, part), (std::vector<float>{1, 5, -1, 0, 1, 0, 30}));
}

TEST(RowMeans, RowsOfAnyLengthAddUpToNothing) {
  for (const std::size_t columns : {1U, 2U, 7U, 8U, 9U, 255U, 1000U}) {
    const auto random = test::randomGradient(static_cast<std::int64_t>(3 * columns), 0, 1);
    const auto values = withoutMeans(random, {}, 0, {0, 3 * columns, columns});
    for (std::size_t row = 0; row < 3; ++row) {
      double sum = 0;
      for (std::size_t i = 0; i < columns; ++i) sum += values[row * columns + i];
      EXPECT_NEAR(sum / static_cast<double>(columns), 0, 1e-7) << columns;
    }
  }
}

TensorSpec tensorOf(const std::string& name, std::vector<std::int64_t> shape, int layer = 0) {
  TensorSpec tensor;
  tensor.name = name;
  tensor.shape = std::move(shape);
  tensor.layer = layer;
  return tensor;
}

TEST(Centralizes, TensorsOfTwoDimensionsThatSomebodyAsksFor) {
  Experiment experiment;
  const TensorSpec weight = tensorOf("fc.weight", {4, 3});
  EXPECT_FALSE(centralizes(experiment, weight));
  experiment.optimizer.gradCentralization = true;
  EXPECT_TRUE(centralizes(experiment, weight));
  EXPECT_FALSE(centralizes(experiment, tensorOf("fc.bias", {4})));
  experiment.optimizer.groups = {{.match = {"fc.*"}, .gradCentralization = false}};
  EXPECT_FALSE(centralizes(experiment, weight));
  EXPECT_TRUE(centralizes(experiment, tensorOf("conv.weight", {4, 3, 3, 2})));
  experiment.network.layers = {{.kind = LayerKind::normalizedDense, .name = "head"}};
  EXPECT_FALSE(centralizes(experiment, tensorOf("head.weight", {4, 3})));
}

TEST(Centralizes, GcFlagActsWithLessBnOnly) {
  Experiment experiment;
  const TensorSpec weight = tensorOf("fc.weight", {4, 3});
  experiment.boost.edit<LessBnOptions>().gcFlag = true;
  EXPECT_FALSE(centralizes(experiment, weight));
  experiment.boost.setOn("less_bn", true);
  EXPECT_TRUE(centralizes(experiment, weight));
  EXPECT_FALSE(centralizes(experiment, tensorOf("embedding.bias", {4, 3})));
  experiment.boost.edit<LessBnOptions>().gcFlag = false;
  EXPECT_FALSE(centralizes(experiment, weight));
}

/// The mean of each row of `weights`, [rows, columns].
std::vector<double> rowMeans(std::span<const float> weights, std::size_t rows) {
  std::vector<double> means(rows);
  const std::size_t columns = weights.size() / rows;
  for (std::size_t i = 0; i < weights.size(); ++i) means[i / columns] += weights[i] / static_cast<double>(columns);
  return means;
}

/// Law: the mean of a row of weights stays what it was, with momentum, weight decay, sum or mean over any ranks.
TEST(GradCentralization, RowMeansOfTheWeightsNeverMove) {
  for (const int ranks : {1, 2, 3, 6}) {
    for (const bool mean : {true, false}) {
      const ParameterLayout layout(test::shapeOf({{"t0", {5, 4, 3}}}));
      Experiment experiment = test::plainExperiment();
      experiment.optimizer.kind = OptimizerKind::momentum;
      experiment.optimizer.momentum = 0.9;
      experiment.optimizer.weightDecay = 0.1;
      experiment.optimizer.schedule.maximum = 0.05;
      experiment.optimizer.gradCentralization = true;
      experiment.parallel.gradientsMean = mean;
      test::spawnRanks(ranks, [&](Communicator& communicator) {
        const std::vector<int> servers(static_cast<std::size_t>(ranks));
        test::UpdateRank rank(communicator, layout, bucketsBySize(layout, 64), experiment, servers, makeAveraged);
        std::ranges::copy(test::randomGradient(60, 77, 0), rank.weights().begin());
        const auto before = rowMeans(rank.weights(), 5);
        const std::vector<float> start(rank.weights().begin(), rank.weights().end());
        for (int step = 0; step < 6; ++step) {
          rank.step(test::randomGradient(60, communicator.rank(), step));
        }
        const auto after = rowMeans(rank.weights(), 5);
        for (std::size_t row = 0; row < before.size(); ++row) EXPECT_NEAR(after[row], before[row], 1e-6);
        EXPECT_GT(std::abs(rank.weights()[0] - start[0]), 1e-3) << "the weights themselves do move";
      });
    }
  }
}

}  // namespace
}  // namespace slipstream
