// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/dim_reduce.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <mutex>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "engine/boost/algorithms.h"
#include "engine/interchange/npy.h"
#include "tests/boost/memory_snapshots.h"
#include "tests/boost/reference_sums.h"
#include "tests/boost/update_fixture.h"
#include "tests/boost/withheld_memory.h"
#include "tests/support/error_of.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

using test::errorOf;
using test::UpdateRank;
using testing::HasSubstr;

const std::vector<std::int64_t> reducedLengths{37, 1, 500, 3, 64, 100, 2};
const ParameterLayout layout = test::layoutOf(reducedLengths);

Experiment experimentWith(int components, DimReduceMethod method = DimReduceMethod::bfgs) {
  Experiment experiment = test::plainExperiment();
  experiment.optimizer.momentum = 0.9;
  experiment.optimizer.schedule.maximum = 0.3;
  experiment.boost.setOn("dim_reduce", true);
  experiment.boost.edit<DimReduceOptions>().method = method;
  experiment.boost.edit<DimReduceOptions>().nComponents = components;
  return experiment;
}

std::vector<std::vector<float>> randomSnapshots(int count) {
  std::vector<std::vector<float>> snapshots;
  for (int s = 0; s < count; ++s) snapshots.push_back(test::randomGradient(layout.size(), s, 99));
  return snapshots;
}

/// f = |w - target|^2 / 2: of one step of one rank.
double distance(std::span<const float> weights, const std::vector<float>& target) {
  double sum = 0;
  for (std::size_t i = 0; i < target.size(); ++i) sum += 0.5 * std::pow(double{weights[i]} - double{target[i]}, 2);
  return sum;
}

/// Every rank pulls towards targets of its own.
StepOutcome pull(UpdateRank& rank, int who, int step, const StepPlan& plan = {}) {
  const auto target = test::randomGradient(layout.size(), who, 1000 + step);
  rank.loss = [target](std::span<const float> weights) { return distance(weights, target); };
  std::vector<float> gradient(target.size());
  for (std::size_t i = 0; i < target.size(); ++i) gradient[i] = rank.weights()[i] - target[i];
  return rank.step(gradient, false, plan);
}

std::unique_ptr<UpdateRank> makeRank(Communicator& world, const Experiment& experiment, WeightSnapshots* snapshots) {
  return std::make_unique<UpdateRank>(world, layout, bucketsBySize(layout, 1000), experiment,
                                      std::vector<int>(static_cast<std::size_t>(world.size())), makeDimReduce,
                                      snapshots);
}

std::vector<float> copyOf(std::span<const float> values) {
  return {values.begin(), values.end()};
}

/// Weights after a few steps towards targets that are shared out over the ranks: the mean is the same for any number.
std::vector<float> trainSteps(int ranks, const Experiment& experiment, bool shareMemory) {
  constexpr int targets = 24;
  std::vector<std::vector<float>> results(static_cast<std::size_t>(ranks));
  test::spawnRanks(ranks, [&](Communicator& world) {
    test::WithheldMemory withheld(world);
    Communicator& communicator = shareMemory ? world : withheld;
    test::MemorySnapshots snapshots(randomSnapshots(9));
    const auto rank = makeRank(communicator, experiment, &snapshots);
    for (int step = 0; step < 4; ++step) {
      std::vector<float> target(static_cast<std::size_t>(layout.size()));
      const int mine = targets / ranks;
      for (int t = world.rank() * mine; t < (world.rank() + 1) * mine; ++t) {
        const auto one = test::randomGradient(layout.size(), t, 1000 + step);
        for (std::size_t i = 0; i < one.size(); ++i) target[i] += one[i] / static_cast<float>(mine);
      }
      rank->loss = [target](std::span<const float> weights) { return distance(weights, target); };
      std::vector<float> gradient(target.size());
      for (std::size_t i = 0; i < target.size(); ++i) gradient[i] = rank->weights()[i] - target[i];
      EXPECT_TRUE(rank->step(gradient).updated);
    }
    results[static_cast<std::size_t>(world.rank())] = copyOf(rank->weights());
  });
  for (const auto& result : results) EXPECT_EQ(result, results[0]) << "ranks differ";
  return results[0];
}

class DimReduceRanks : public testing::TestWithParam<std::tuple<int, bool, DimReduceMethod>> {};

TEST_P(DimReduceRanks, AnyNumberOfThemMovesLikeOne) {
  const auto [ranks, shareMemory, method] = GetParam();
  const auto experiment = experimentWith(5, method);  // 5 components: no rank count but 1 divides them
  const auto alone = trainSteps(1, experiment, true);
  const auto together = trainSteps(ranks, experiment, shareMemory);
  for (std::size_t i = 0; i < alone.size(); ++i) ASSERT_NEAR(together[i], alone[i], 1e-6) << i;
  EXPECT_GT(distance(alone, std::vector<float>(alone.size())), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(Counts, DimReduceRanks,
                         testing::Combine(testing::Values(1, 2, 3, 4, 8), testing::Bool(),
                                          testing::Values(DimReduceMethod::bfgs, DimReduceMethod::sgd)));

/// A step of f = |w - target|^2 / 4, whose inverse Hessian is twice the identity.
StepOutcome pullHalf(UpdateRank& rank, const StepPlan& plan) {
  const auto target = test::randomGradient(layout.size(), 0, 1000);
  rank.loss = [target](std::span<const float> weights) { return distance(weights, target) / 2; };
  std::vector<float> gradient(target.size());
  for (std::size_t i = 0; i < target.size(); ++i) gradient[i] = (rank.weights()[i] - target[i]) / 2;
  return rank.step(gradient, false, plan);
}

/// The inverse Hessian that a rank keeps, row by row.
std::vector<double> inverseHessianOf(UpdateRank& rank, std::size_t components) {
  const auto packed = rank.update().state().front().values;  // bits of doubles in pairs of floats
  std::vector<double> values(packed.size() / 2);
  std::memcpy(values.data(), packed.data(), values.size() * sizeof(double));
  values.resize(components * components);
  return values;
}

/// y = gk - gk of the step before is curvature only where both steps train the same layers.
TEST(DimReduce, LearnsNoCurvatureAcrossAChangeOfTheFrozenLayers) {
  constexpr std::size_t components = 3;
  Experiment experiment = experimentWith(components);
  experiment.boost.setOn("grad_freeze", true);
  const std::vector<double> identity{1, 0, 0, 0, 1, 0, 0, 0, 1};
  constexpr StepPlan whole{};
  constexpr StepPlan frozen{.firstTrainedLayer = 3};
  const std::vector<std::pair<std::vector<StepPlan>, bool>> cases{
      {{whole, frozen}, false}, {{frozen, whole}, false}, {{whole, frozen, whole, frozen}, false},
      {{whole, whole}, true},   {{frozen, frozen}, true}, {{whole, frozen, frozen}, true}};
  for (const int ranks : {1, 2, 4}) {
    for (const auto& [plans, learns] : cases) {
      test::spawnRanks(ranks, [&](Communicator& world) {
        test::MemorySnapshots snapshots(randomSnapshots(9));
        const auto rank = makeRank(world, experiment, &snapshots);
        for (const StepPlan& plan : plans) {
          const StepOutcome outcome = pullHalf(*rank, plan);
          EXPECT_GE(outcome.metrics.at("dim_reduce/accepted_power"), 0) << "else there is no step to learn from";
        }
        EXPECT_EQ(inverseHessianOf(*rank, components) != identity, learns) << plans.size() << " steps";
      });
    }
  }
}

TEST(DimReduce, FindsTheMinimumOfAQuadraticThatLiesInItsSpace) {
  constexpr int components = 6;
  auto experiment = experimentWith(components);
  experiment.boost.edit<DimReduceOptions>().alpha = 0;
  const auto directions = randomSnapshots(components + 1);
  const auto size = static_cast<std::size_t>(layout.size());
  // Curvatures from 1 to 40 over the flat space; the minimum is a mixture of differences of snapshots.
  std::vector<float> target(size);
  for (int s = 0; s < components; ++s) {
    for (std::size_t i = 0; i < size; ++i) {
      target[i] += 0.3F * static_cast<float>(s + 1) * (directions[static_cast<std::size_t>(s)][i] - directions[6][i]);
    }
  }
  const auto curvature = [size](std::size_t i) { return 1 + 39 * static_cast<double>(i) / static_cast<double>(size); };
  test::spawnRanks(1, [&](Communicator& world) {
    test::MemorySnapshots snapshots(directions);
    const auto rank = makeRank(world, experiment, &snapshots);
    rank->loss = [&](std::span<const float> weights) {
      double sum = 0;
      for (std::size_t i = 0; i < size; ++i) {
        sum += 0.5 * curvature(i) * std::pow(double{weights[i]} - double{target[i]}, 2);
      }
      return sum;
    };
    const double before = rank->loss(rank->weights());
    for (int step = 0; step < components + 8; ++step) {
      std::vector<float> gradient(size);
      for (std::size_t i = 0; i < size; ++i) {
        gradient[i] = static_cast<float>(curvature(i) * (double{rank->weights()[i]} - double{target[i]}));
      }
      rank->step(gradient);
    }
    EXPECT_LT(rank->loss(rank->weights()), 1e-6 * before);
  });
}

TEST(DimReduce, WithoutASlopeAndWithoutTheResidualNothingMoves) {
  auto experiment = experimentWith(4);
  experiment.boost.edit<DimReduceOptions>().alpha = 0;
  test::spawnRanks(2, [&](Communicator& world) {
    test::MemorySnapshots snapshots(randomSnapshots(6));
    const auto rank = makeRank(world, experiment, &snapshots);
    std::ranges::copy(test::randomGradient(layout.size(), 3, 3), rank->weights().begin());
    const auto before = copyOf(rank->weights());
    const auto outcome = rank->step(std::vector<float>(before.size()));
    EXPECT_TRUE(outcome.updated);
    EXPECT_EQ(outcome.metrics.at("dim_reduce/accepted_power"), -1);
    EXPECT_EQ(outcome.metrics.at("dim_reduce/trials"), 0);
    EXPECT_EQ(copyOf(rank->weights()), before);
  });
}

TEST(DimReduce, AnUnacceptedStepStillMovesTheResidual) {
  const auto experiment = experimentWith(4);
  test::spawnRanks(1, [&](Communicator& world) {
    test::MemorySnapshots snapshots(randomSnapshots(6));
    const auto rank = makeRank(world, experiment, &snapshots);
    int calls = 0;
    rank->loss = [&](std::span<const float>) { return ++calls; };  // ever worse
    const auto gradient = test::randomGradient(layout.size(), 1, 1);
    const auto outcome = rank->step(gradient);
    EXPECT_EQ(outcome.metrics.at("dim_reduce/accepted_power"), -1);
    EXPECT_EQ(outcome.metrics.at("dim_reduce/trials"), experiment.boost.of<DimReduceOptions>().maxSearch);
    // w = -alpha (g - P'Pg), so that -w / alpha is what the projection leaves: it has no part in the space.
    const double share = outcome.metrics.at("dim_reduce/gradient_share");
    const double whole = distance(gradient, std::vector<float>(gradient.size()));
    const double left = distance(rank->weights(), std::vector<float>(gradient.size())) /
                        std::pow(experiment.boost.of<DimReduceOptions>().alpha, 2);
    EXPECT_NEAR(left / whole, 1 - share, 1e-5);
  });
}

TEST(DimReduce, WeightDecayTakesItsShareAndNoMore) {
  for (const auto method : {DimReduceMethod::bfgs, DimReduceMethod::sgd}) {
    auto experiment = experimentWith(4, method);
    experiment.boost.edit<DimReduceOptions>().weightDecay = 0.25;
    experiment.optimizer.schedule.maximum = 1;
    test::spawnRanks(2, [&](Communicator& world) {
      test::MemorySnapshots snapshots(randomSnapshots(6));
      const auto rank = makeRank(world, experiment, &snapshots);
      std::ranges::fill(rank->weights(), 2.0F);
      rank->step(std::vector<float>(static_cast<std::size_t>(layout.size())));
      for (const float weight : rank->weights()) ASSERT_EQ(weight, 1.5F);
    });
  }
}

TEST(DimReduce, SgdIsMomentumOfTheProjectedGradient) {
  const auto experiment = experimentWith(4, DimReduceMethod::sgd);
  test::spawnRanks(1, [&](Communicator& world) {
    test::MemorySnapshots snapshots(randomSnapshots(6));
    const auto rank = makeRank(world, experiment, &snapshots);
    const auto gradient = test::randomGradient(layout.size(), 1, 1);
    rank->step(gradient);
    const auto first = copyOf(rank->weights());  // -0.3 P'Pg
    rank->step(gradient);
    for (std::size_t i = 0; i < first.size(); ++i) {
      ASSERT_NEAR(rank->weights()[i], first[i] * (1 + 1.9), 1e-6) << i;
    }
    // The projector is idempotent: stepping along what was stepped is stepping along the gradient.
    const auto other = makeRank(world, experiment, &snapshots);
    std::vector<float> inside(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) inside[i] = first[i] / -0.3F;
    other->step(inside);
    for (std::size_t i = 0; i < first.size(); ++i) ASSERT_NEAR(other->weights()[i], first[i], 1e-6) << i;
  });
}

TEST(DimReduce, FrozenTensorsStandStill) {
  const StepPlan upper{.firstTrainedLayer = 4};
  const std::int64_t trained = layout.rangeFromLayer(4).end;
  for (const auto method : {DimReduceMethod::bfgs, DimReduceMethod::sgd}) {
    const auto experiment = experimentWith(4, method);
    for (const int ranks : {1, 3, 8}) {
      test::spawnRanks(ranks, [&](Communicator& world) {
        test::MemorySnapshots snapshots(randomSnapshots(6));
        const auto rank = makeRank(world, experiment, &snapshots);
        pull(*rank, world.rank(), 0);
        const auto before = copyOf(rank->weights());
        EXPECT_TRUE(pull(*rank, world.rank(), 1, upper).updated);
        const auto after = copyOf(rank->weights());
        EXPECT_TRUE(std::equal(before.begin() + trained, before.end(), after.begin() + trained));
        EXPECT_FALSE(std::equal(before.begin(), before.begin() + trained, after.begin()));
      });
    }
  }
}

TEST(DimReduce, OverflowAndLossesThatAreNotFiniteChangeNothing) {
  const auto experiment = experimentWith(4);
  test::spawnRanks(3, [&](Communicator& world) {
    test::MemorySnapshots snapshots(randomSnapshots(6));
    const auto rank = makeRank(world, experiment, &snapshots);
    pull(*rank, world.rank(), 0);
    const auto weights = copyOf(rank->weights());
    std::vector<std::vector<float>> state;
    for (const auto& tensor : rank->update().state()) state.push_back(copyOf(tensor.values));
    const auto expectUnchanged = [&] {
      EXPECT_EQ(copyOf(rank->weights()), weights);
      const auto now = rank->update().state();
      for (std::size_t t = 0; t < now.size(); ++t) EXPECT_EQ(copyOf(now[t].values), state[t]) << now[t].name;
    };
    auto gradient = test::randomGradient(layout.size(), world.rank(), 1);
    EXPECT_TRUE(rank->step(gradient, world.rank() == 2).overflow);
    expectUnchanged();
    rank->loss = [&](std::span<const float>) { return world.rank() == 1 ? NAN : 1.0; };
    EXPECT_FALSE(rank->step(gradient).updated);
    expectUnchanged();
    if (world.rank() == 1) gradient[5] = INFINITY;
    rank->loss = {};
    const auto outcome = rank->step(gradient);
    EXPECT_FALSE(outcome.updated);
    EXPECT_EQ(outcome.metrics.at("dim_reduce/accepted_power"), -1);
    expectUnchanged();
  });
}

class DimReduceState : public testing::TestWithParam<std::tuple<int, DimReduceMethod>> {};

TEST_P(DimReduceState, ContinuedFromItsStateItEndsWithTheSameBits) {
  const auto [ranks, method] = GetParam();
  const auto experiment = experimentWith(5, method);
  test::spawnRanks(ranks, [&](Communicator& world) {
    test::MemorySnapshots snapshots(randomSnapshots(9));
    const auto alone = makeRank(world, experiment, &snapshots);
    for (int step = 0; step < 3; ++step) pull(*alone, world.rank(), step);
    const auto resumed = makeRank(world, experiment, &snapshots);
    std::ranges::copy(alone->weights(), resumed->weights().begin());
    const auto from = alone->update().state();
    const auto to = resumed->update().state();
    ASSERT_EQ(from.size(), to.size());
    for (std::size_t t = 0; t < from.size(); ++t) {
      ASSERT_EQ(from[t].name, to[t].name);
      std::ranges::copy(from[t].values, to[t].values.begin());
    }
    for (int step = 3; step < 6; ++step) {
      pull(*alone, world.rank(), step);
      pull(*resumed, world.rank(), step);
    }
    EXPECT_EQ(copyOf(alone->weights()), copyOf(resumed->weights()));
  });
}

INSTANTIATE_TEST_SUITE_P(Counts, DimReduceState,
                         testing::Combine(testing::Values(1, 3),
                                          testing::Values(DimReduceMethod::bfgs, DimReduceMethod::sgd)));

TEST(DimReduceState, AnotherProjectionThanBeforeIsRefused) {
  const auto experiment = experimentWith(5);
  const std::string text = errorOf([&] {
    test::spawnRanks(2, [&](Communicator& world) {
      test::MemorySnapshots snapshots(randomSnapshots(9));
      test::MemorySnapshots fewer(randomSnapshots(8));
      const auto before = makeRank(world, experiment, &snapshots);
      const auto resumed = makeRank(world, experiment, &fewer);
      const auto to = resumed->update().state();
      const auto from = before->update().state();
      for (std::size_t t = 0; t < from.size(); ++t) std::ranges::copy(from[t].values, to[t].values.begin());
      pull(*resumed, world.rank(), 0);
    });
  });
  EXPECT_THAT(text, HasSubstr("is not the one that this run was trained with until its checkpoint"));
}

// ---------------------------------------------------------------- where the projection comes from

std::string matrixPath(const std::string& name) {
  const std::string path = testing::TempDir() + "dim_reduce_update_" + std::to_string(::getpid()) + name;
  std::filesystem::remove(path);
  return path;
}

TEST(DimReduceMatrix, AStoredOneGivesTheIdenticalFirstStep) {
  for (const int ranks : {1, 3}) {
    auto experiment = experimentWith(5);
    experiment.boost.edit<DimReduceOptions>().pcaMatPath = matrixPath("stored.npy");
    std::vector<float> computed;
    for (const bool stored : {false, true}) {
      EXPECT_EQ(std::filesystem::exists(experiment.boost.of<DimReduceOptions>().pcaMatPath), stored);
      experiment.boost.edit<DimReduceOptions>().pcaMatrix = stored ? MatrixUse::read : MatrixUse::written;
      test::spawnRanks(ranks, [&](Communicator& world) {
        test::MemorySnapshots snapshots(randomSnapshots(9));
        const auto rank = makeRank(world, experiment, stored ? nullptr : &snapshots);
        const auto outcome = pull(*rank, world.rank(), 0);
        EXPECT_EQ(outcome.metrics.contains("dim_reduce/explained_variance"), !stored);
        if (world.rank() != 0) return;
        const auto weights = copyOf(rank->weights());
        if (!stored) computed = weights;
        EXPECT_EQ(weights, computed);
      });
    }
  }
}

TEST(DimReduceMatrix, OnesThatDoNotFitAreRefused) {
  auto experiment = experimentWith(5);
  const auto refusal = [&] {
    return errorOf([&] { test::spawnRanks(2, [&](Communicator& world) { makeRank(world, experiment, nullptr); }); });
  };
  EXPECT_THAT(refusal(), HasSubstr("has no weights to look back at"));
  const std::string path = matrixPath("unfit.npy");
  experiment.boost.edit<DimReduceOptions>().pcaMatPath = path;
  experiment.boost.edit<DimReduceOptions>().pcaMatrix = MatrixUse::read;
  const auto write = [&](std::int64_t rows, std::int64_t columns) {
    auto writer = NpyWriter::create(path, rows, columns);
    ASSERT_TRUE((*writer)->write(0, 0, std::vector<float>(static_cast<std::size_t>(rows * columns))));
    ASSERT_TRUE((*writer)->commit());
  };
  write(5, layout.size() - 1);
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr(path), HasSubstr("has 706 columns, but the network has 707")));
  write(4, layout.size());
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr(path), HasSubstr("has 4 rows, but n_components is 5")));
  auto writer = NpyWriter::create(path, 5, layout.size());
  std::vector<float> holed(static_cast<std::size_t>(5 * layout.size()), 1.0F);
  holed[static_cast<std::size_t>(2 * layout.size() + 7)] = NAN;
  ASSERT_TRUE((*writer)->write(0, 0, holed));
  ASSERT_TRUE((*writer)->commit());
  EXPECT_THAT(refusal(), testing::AllOf(HasSubstr(path), HasSubstr("row 2"), HasSubstr("no number")));
}

/// More columns than travel at a time: ranks have none of some parts, the last ones none of the first.
TEST(DimReduceMatrix, OneOfManyPartsIsTheSameForAnyNumberOfRanks) {
  constexpr std::int64_t columns = 1'200'000;
  const auto wide = test::layoutOf({columns});
  auto experiment = experimentWith(2, DimReduceMethod::sgd);
  experiment.boost.edit<DimReduceOptions>().pcaMatPath = matrixPath("wide.npy");
  experiment.boost.edit<DimReduceOptions>().pcaMatrix = MatrixUse::read;
  auto writer = NpyWriter::create(experiment.boost.of<DimReduceOptions>().pcaMatPath, 2, columns);
  for (int row = 0; row < 2; ++row) ASSERT_TRUE((*writer)->write(row, 0, test::randomGradient(columns, row, 1)));
  ASSERT_TRUE((*writer)->commit());
  const auto gradient = test::randomGradient(columns, 0, 2);
  std::vector<float> alone;
  for (const int ranks : {1, 6}) {
    test::spawnRanks(ranks, [&](Communicator& world) {
      UpdateRank rank(world, wide, bucketsBySize(wide, 1 << 22), experiment,
                      std::vector<int>(static_cast<std::size_t>(ranks)), makeDimReduce);
      rank.step(gradient);
      if (world.rank() != 0) return;
      if (ranks == 1) {
        alone = copyOf(rank.weights());
        return;
      }
      for (std::size_t i = 0; i < alone.size(); i += 101) {
        ASSERT_NEAR(rank.weights()[i], alone[i], 1e-4 * (1 + std::abs(alone[i]))) << i;
      }
    });
  }
  EXPECT_NE(alone.back(), 0) << "the last columns are moved";
}

/// The gradient's projection is summed over ranks: that is communication, and no part of the update.
TEST(DimReduceMetrics, ItsOwnSumsAreCommunication) {
  for (const auto method : {DimReduceMethod::bfgs, DimReduceMethod::sgd}) {
    const auto experiment = experimentWith(5, method);
    test::spawnRanks(2, [&](Communicator& world) {
      test::ReferenceSums slow(world);
      test::MemorySnapshots snapshots(randomSnapshots(9));
      const auto rank = makeRank(slow, experiment, &snapshots);
      const Stopwatch watch;
      const StepOutcome outcome = pull(*rank, world.rank(), 0);
      const double whole = watch.seconds();
      EXPECT_GE(outcome.communication.exposed, test::ReferenceSums::pauseSeconds);
      EXPECT_LE(outcome.communication.exposed + outcome.updateSeconds, whole);
    });
  }
}

TEST(DimReduceMetrics, SayWhatTheStepDid) {
  const auto experiment = experimentWith(5);
  test::spawnRanks(2, [&](Communicator& world) {
    test::MemorySnapshots snapshots(randomSnapshots(9));
    const auto rank = makeRank(world, experiment, &snapshots);
    const auto first = pull(*rank, world.rank(), 0).metrics;
    EXPECT_GE(first.at("dim_reduce/accepted_power"), 0);
    EXPECT_EQ(first.at("dim_reduce/trials"), first.at("dim_reduce/accepted_power") + 1);
    EXPECT_LT(first.at("dim_reduce/slope"), 0);
    EXPECT_GT(first.at("dim_reduce/explained_variance"), first.at("dim_reduce/explained_variance/1"));
    EXPECT_LT(first.at("dim_reduce/explained_variance"), 1);
    EXPECT_TRUE(first.contains("dim_reduce/explained_variance/5"));
    EXPECT_FALSE(pull(*rank, world.rank(), 1).metrics.contains("dim_reduce/explained_variance"));
  });
}

TEST(DimReduceMemory, IsCountedAndSharedOut) {
  const auto experiment = experimentWith(5);
  for (const int ranks : {1, 3}) {
    test::spawnRanks(ranks, [&](Communicator& world) {
      test::MemorySnapshots snapshots(randomSnapshots(9));
      const auto rank = makeRank(world, experiment, &snapshots);
      const auto held = rank->meter().peak();
      const std::int64_t width = ranks == 1 ? 720 : 240;  // 707 columns
      const std::int64_t slices = ranks == 1 ? 1 : 2;
      const std::int64_t mine = std::min(width, layout.size() - world.rank() * width);
      EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::boost)],
                4 * (5 * width + slices * width + mine + layout.size()));
      EXPECT_EQ(held[static_cast<std::size_t>(MemoryCategory::optimizerState)], 0);
    });
  }
}

}  // namespace
}  // namespace slipstream
