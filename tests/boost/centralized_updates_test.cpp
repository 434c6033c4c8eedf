// SPDX-License-Identifier: GPL-3.0-or-later
// Centralisation and weight decay act once, on what the exchange made of the gradients: every update against momentum
// and SGD in double, written here, and the laws of the rows' means over long runs.
#include <cmath>

#include <gtest/gtest.h>

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"
#include "tests/boost/update_fixture.h"
#include "tests/boost/withheld_memory.h"
#include "tests/nn/shapes.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

/// Rows of 12, of 10 and, centralised by nobody, a bias.
const ParameterLayout centralizedLayout(test::shapeOf({{"conv", {5, 4, 3}}, {"bias", {7}}, {"fc", {7, 10}}}));

Experiment centralizedExperiment(OptimizerKind kind) {
  Experiment experiment = test::plainExperiment();
  experiment.optimizer.kind = kind;
  experiment.optimizer.momentum = 0.9;
  experiment.optimizer.weightDecay = 0.05;
  experiment.optimizer.schedule.maximum = 0.02;
  experiment.optimizer.gradCentralization = true;
  return experiment;
}

/// Far from zero, so that a row's mean shows what decay does to it.
float startOf(std::int64_t position) {
  return 0.5F + static_cast<float>(std::sin(static_cast<double>(position)));
}

void start(test::UpdateRank& rank) {
  for (const PinnedRange& kept : rank.update().weights().kept()) {
    for (std::int64_t i = 0; i < kept.range.size(); ++i) {
      kept.values[static_cast<std::size_t>(i)] = startOf(kept.range.begin + i);
    }
  }
}

/// One optimizer over the whole flat space, in double.
class CentralizedReference {
 public:
  explicit CentralizedReference(const OptimizerSpec& spec)
      : spec_(spec), velocity_(static_cast<std::size_t>(centralizedLayout.size())) {
    for (std::int64_t i = 0; i < centralizedLayout.size(); ++i) weights.push_back(startOf(i));
  }

  void step(std::vector<double> gradient) {
    const bool momentum = spec_.kind == OptimizerKind::momentum;
    if (momentum) addDecay(gradient);
    for (const FlatTensor& tensor : centralizedLayout.tensors()) {
      if (tensor.spec.shape.size() > 1) centralize(tensor, gradient);
    }
    if (!momentum) addDecay(gradient);
    for (std::size_t i = 0; i < gradient.size(); ++i) {
      velocity_[i] = spec_.momentum * velocity_[i] + gradient[i];
      weights[i] -= spec_.schedule.maximum * velocity_[i];
    }
  }

  std::vector<double> weights;

 private:
  void addDecay(std::vector<double>& gradient) const {
    for (std::size_t i = 0; i < gradient.size(); ++i) gradient[i] += spec_.weightDecay * weights[i];
  }

  static void centralize(const FlatTensor& tensor, std::vector<double>& gradient) {
    const std::int64_t columns = tensor.range.size() / tensor.spec.shape.front();
    for (std::int64_t row = tensor.range.begin; row < tensor.range.end; row += columns) {
      double mean = 0;
      for (std::int64_t i = row; i < row + columns; ++i) {
        mean += gradient[static_cast<std::size_t>(i)] / static_cast<double>(columns);
      }
      for (std::int64_t i = row; i < row + columns; ++i) gradient[static_cast<std::size_t>(i)] -= mean;
    }
  }

  OptimizerSpec spec_;
  std::vector<double> velocity_;
};

/// pair(a, b) of Adasum, tensor by tensor, in double.
std::vector<double> pairOf(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<double> sum(a.size());
  for (const FlatTensor& tensor : centralizedLayout.tensors()) {
    double aa = 0;
    double bb = 0;
    double ab = 0;
    const auto begin = static_cast<std::size_t>(tensor.range.begin);
    const auto end = static_cast<std::size_t>(tensor.range.end);
    for (std::size_t i = begin; i < end; ++i) {
      aa += a[i] * a[i];
      bb += b[i] * b[i];
      ab += a[i] * b[i];
    }
    for (std::size_t i = begin; i < end; ++i) sum[i] = (1 - ab / (2 * aa)) * a[i] + (1 - ab / (2 * bb)) * b[i];
  }
  return sum;
}

/// What the exchange makes of the gradients of all ranks at a step.
std::vector<double> exchanged(int ranks, int step, const Experiment& experiment) {
  std::vector<std::vector<double>> level;
  for (int rank = 0; rank < ranks; ++rank) {
    const auto gradient = test::randomGradient(centralizedLayout.size(), rank, step);
    level.emplace_back(gradient.begin(), gradient.end());
  }
  if (!experiment.boost.isOn("adasum")) {
    const double share = experiment.parallel.gradientsMean ? 1.0 / ranks : 1.0;
    std::vector<double> sum(level.front().size());
    for (const auto& gradient : level) {
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += share * gradient[i];
    }
    return sum;
  }
  while (level.size() > 1) {
    std::vector<std::vector<double>> above;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) above.push_back(pairOf(level[i], level[i + 1]));
    if (level.size() % 2 == 1) above.push_back(level.back());
    level = std::move(above);
  }
  return level.front();
}

struct CentralizedCase {
  const char* name;
  test::MakeUpdate make;
  bool adasum;
  bool mean;
  ShardingLevel level;
};

constexpr CentralizedCase centralizedCases[] = {
    {"averaged", makeAveraged, false, true, ShardingLevel::off},
    {"summed", makeAveraged, false, false, ShardingLevel::off},
    {"adasum", makeAdasum, true, true, ShardingLevel::off},
    {"level1", makeOptimizerParallel, false, true, ShardingLevel::level1},
    {"level2", makeOptimizerParallel, false, true, ShardingLevel::level2},
    {"level3", makeOptimizerParallel, false, false, ShardingLevel::level3},
    {"adasum_level1", makeOptimizerParallel, true, true, ShardingLevel::level1},
    {"adasum_level3", makeOptimizerParallel, true, true, ShardingLevel::level3},
};

void PrintTo(const CentralizedCase& one, std::ostream* out) {
  *out << one.name;
}

class CentralizedUpdates : public testing::TestWithParam<std::tuple<CentralizedCase, int>> {};

TEST_P(CentralizedUpdates, StepAsOneOptimizerInDoubleDoes) {
  const auto& [one, ranks] = GetParam();
  for (const OptimizerKind kind : {OptimizerKind::momentum, OptimizerKind::sgd}) {
    for (const int shards : {ranks, ranks % 2 == 0 ? 2 : ranks}) {
      for (const bool shareMemory : {true, false}) {
        Experiment experiment = centralizedExperiment(kind);
        experiment.parallel.ranks = ranks;
        experiment.parallel.gradientsMean = one.mean;
        experiment.parallel.optimizerParallel = {one.level, shards, 0};
        experiment.boost.setOn("adasum", one.adasum);
        experiment.boost.edit<AdasumOptions>() = {.mode = AdasumMode::gradients, .scope = AdasumScope::flat};
        CentralizedReference reference(experiment.optimizer);
        for (int step = 0; step < 5; ++step) reference.step(exchanged(ranks, step, experiment));
        test::spawnRanks(ranks, [&](Communicator& world) {
          test::WithheldMemory withheld(world);
          test::UpdateRank rank(shareMemory ? world : withheld, centralizedLayout, bucketsBySize(centralizedLayout, 64),
                                experiment, std::vector<int>(static_cast<std::size_t>(ranks)), one.make);
          start(rank);
          for (int step = 0; step < 5; ++step) {
            rank.step(test::randomGradient(centralizedLayout.size(), world.rank(), step));
          }
          for (const PinnedRange& kept : rank.update().weights().kept()) {
            for (std::int64_t i = 0; i < kept.range.size(); ++i) {
              const auto at = static_cast<std::size_t>(kept.range.begin + i);
              ASSERT_NEAR(kept.values[static_cast<std::size_t>(i)], reference.weights[at], 2e-6) << at;
            }
          }
        });
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Of, CentralizedUpdates,
                         testing::Combine(testing::ValuesIn(centralizedCases), testing::Values(1, 2, 3, 4, 8)),
                         [](const auto& parameter) {
                           return std::string(std::get<0>(parameter.param).name) + "_" +
                                  std::to_string(std::get<1>(parameter.param));
                         });

/// The means of all rows of "conv" and "fc".
std::vector<double> rowMeansOf(std::span<const float> weights) {
  std::vector<double> means;
  for (const FlatTensor& tensor : centralizedLayout.tensors()) {
    if (tensor.spec.shape.size() < 2) continue;
    const std::int64_t columns = tensor.range.size() / tensor.spec.shape.front();
    for (std::int64_t row = tensor.range.begin; row < tensor.range.end; row += columns) {
      double mean = 0;
      for (std::int64_t i = row; i < row + columns; ++i) mean += weights[static_cast<std::size_t>(i)];
      means.push_back(mean / static_cast<double>(columns));
    }
  }
  return means;
}

/// Row means after a run, divided by those at its start.
std::vector<double> growthOfRowMeans(int ranks, const Experiment& experiment, test::MakeUpdate make, int steps) {
  std::vector<double> growth;
  test::spawnRanks(ranks, [&](Communicator& communicator) {
    test::UpdateRank rank(communicator, centralizedLayout, bucketsBySize(centralizedLayout, 4096), experiment,
                          std::vector<int>(static_cast<std::size_t>(ranks)), make);
    start(rank);
    const auto before = rowMeansOf(rank.weights());
    for (int step = 0; step < steps; ++step) {
      rank.step(test::randomGradient(centralizedLayout.size(), communicator.rank(), step));
    }
    if (communicator.rank() != 0) return;
    const auto after = rowMeansOf(rank.weights());
    for (std::size_t i = 0; i < after.size(); ++i) growth.push_back(after[i] / before[i]);
  });
  return growth;
}

class RowMeanLaw : public testing::TestWithParam<int> {};

/// Gradients of different ranks are nearly orthogonal here, so that Adasum's coefficients add up to nearly their
/// number.
TEST_P(RowMeanLaw, OverAThousandStepsAdasumDecaysRowMeansAsTheAverageDoes) {
  constexpr int steps = 1000;
  for (const OptimizerKind kind : {OptimizerKind::momentum, OptimizerKind::sgd}) {
    Experiment experiment = centralizedExperiment(kind);
    experiment.optimizer.momentum = 0.5;
    experiment.optimizer.weightDecay = 0.01;
    experiment.optimizer.schedule.maximum = 0.005;
    const auto averaged = growthOfRowMeans(GetParam(), experiment, makeAveraged, steps);
    experiment.boost.setOn("adasum", true);
    experiment.boost.edit<AdasumOptions>() = {.mode = AdasumMode::gradients, .scope = AdasumScope::flat};
    const auto combined = growthOfRowMeans(GetParam(), experiment, makeAdasum, steps);
    // Momentum's decay is centralised with the gradient, SGD's is not: rate / (1 - momentum) * decay a step.
    const double expected = kind == OptimizerKind::momentum ? 1.0 : std::exp(-0.005 / 0.5 * 0.01 * steps);
    ASSERT_EQ(combined.size(), averaged.size());
    for (std::size_t i = 0; i < averaged.size(); ++i) {
      EXPECT_NEAR(averaged[i], expected, 1e-3);
      EXPECT_NEAR(combined[i], averaged[i], 1e-4);
    }
  }
}

/// Every leaf centralises its own step; what is combined has no row means.
TEST_P(RowMeanLaw, OfDeltasStaysToo) {
  Experiment experiment = centralizedExperiment(OptimizerKind::momentum);
  experiment.optimizer.momentum = 0.5;
  experiment.optimizer.schedule.maximum = 0.005;
  experiment.boost.setOn("adasum", true);
  experiment.boost.edit<AdasumOptions>() = {.mode = AdasumMode::deltas, .scope = AdasumScope::flat};
  for (const double growth : growthOfRowMeans(GetParam(), experiment, makeAdasum, 200)) EXPECT_NEAR(growth, 1, 1e-3);
}

INSTANTIATE_TEST_SUITE_P(Ranks, RowMeanLaw, testing::Values(4, 32));

}  // namespace
}  // namespace slipstream
