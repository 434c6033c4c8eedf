// SPDX-License-Identifier: GPL-3.0-or-later
// Every optimizer at every level of sharding against the papers' formulas in double: 100 steps with accumulation, a
// gradient divisor, steps that overflow, frozen layers and clipping.
#include <cmath>
#include <tuple>

#include <gtest/gtest.h>

#include "engine/boost/adasum/adasum.h"
#include "engine/boost/algorithms.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/boost/optimizer_parallel/optimizer_parallel.h"
#include "engine/device/cpu_device.h"
#include "engine/spec/schedule.h"
#include "tests/boost/reference_optimizer.h"
#include "tests/boost/update_fixture.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

constexpr int steps = 100;
constexpr double stepsAnEpoch = 10;
constexpr double divisor = 4;

ParameterLayout smallNetwork() {
  NetworkShape shape;
  const auto add = [&](std::string name, std::vector<std::int64_t> sizes, int layer) {
    TensorSpec tensor;
    tensor.name = std::move(name);
    tensor.shape = std::move(sizes);
    tensor.layer = layer;
    shape.tensors.push_back(tensor);
  };
  add("conv.weight", {3, 2, 5, 1}, 0);
  add("norm.gamma", {3}, 1);
  add("fc.weight", {13, 27}, 2);
  add("fc.bias", {13}, 2);
  add("head.weight", {2, 13}, 3);
  return ParameterLayout(shape);
}

OptimizerSpec specOf(OptimizerKind kind, double clip) {
  OptimizerSpec spec = test::specOfKind(kind);
  spec.schedule.mode = ScheduleMode::linear;
  spec.schedule.maximum = kind == OptimizerKind::lars ? 0.05 : 0.01;
  spec.schedule.end = spec.schedule.maximum / 10;
  spec.weightDecay = 0.02;
  spec.lossScale = divisor;
  spec.clipNorm = clip;
  if (kind == OptimizerKind::lars) spec.trustCoefficient = 0.2;
  return spec;
}

float startAt(std::int64_t position) {
  return static_cast<float>(0.5 * std::sin(1.0 + static_cast<double>(position)));
}

bool overflows(int step) {
  return step % 17 == 5;
}
int firstTrained(int step) {
  return step % 10 == 7 ? 2 : 0;
}
int microBatches(int step) {
  return 1 + step % 3;
}

class Context final : public StepContext {
 public:
  Context(Communicator& world, const StepPlan& plan, std::int64_t updatesDone, bool overflow)
      : world_(world), plan_(plan), updatesDone_(updatesDone), overflow_(overflow) {}
  const StepPlan& plan() const override { return plan_; }
  std::int64_t updatesDone() const override { return updatesDone_; }
  bool overflowVote() override {
    double vote = overflow_ && world_.rank() == world_.size() - 1 ? 1 : 0;
    world_.allReduceMax(std::span(&vote, 1));
    return vote > 0;
  }
  double meanLoss() override { return 0; }
  double trialLoss() override { return 0; }
  double exchangeSeconds() const override { return 0; }

 private:
  Communicator& world_;
  const StepPlan& plan_;
  std::int64_t updatesDone_;
  bool overflow_;
};

/// One rank's run without a network.
class TrainedRank {
 public:
  /// `alike`: every rank sees what rank 0 sees.
  TrainedRank(Communicator& world, const ParameterLayout& layout, const Experiment& experiment, test::MakeUpdate make,
              bool alike = false)
      : world_(world), layout_(layout), drawnBy_(alike ? 0 : world.rank()), device_(openCpuDevice(meter_)) {
    update_ =
        make({layout, bucketsBySize(layout, 1000), experiment, std::vector<int>(static_cast<std::size_t>(world.size())),
              stepsAnEpoch, steps, world, *device_, cpuKernelTables()});
    for (const PinnedRange& kept : update_->weights().kept()) {
      for (std::int64_t i = 0; i < kept.range.size(); ++i) {
        kept.values[static_cast<std::size_t>(i)] = startAt(kept.range.begin + i);
      }
    }
  }

  /// Backward passes that hand tensors over one by one, then the update.
  StepOutcome step(int step) {
    const StepPlan plan{.microBatches = microBatches(step), .firstTrainedLayer = firstTrained(step)};
    update_->begin(plan);
    const bool keeps = update_->traits().keepsWholeGradient;
    for (int part = 0; part < plan.microBatches; ++part) backward(step, part, plan, keeps && part > 0);
    Context context(world_, plan, updatesDone_, overflows(step));
    const StepOutcome outcome = update_->finish(context);
    if (outcome.updated) ++updatesDone_;
    return outcome;
  }

  std::vector<float> weights() {
    std::vector<float> all;
    for (const FlatTensor& tensor : layout_.tensors()) {
      const auto values = update_->weights().acquire(tensor.range);
      all.insert(all.end(), values.begin(), values.end());
      update_->weights().release(tensor.range);
    }
    return all;
  }
  Update& update() { return *update_; }

 private:
  void backward(int step, int part, const StepPlan& plan, bool add) {
    const auto gradient = test::randomGradient(layout_.size(), drawnBy_, 10 * step + part);
    for (const FlatTensor& tensor : layout_.tensors()) {
      if (tensor.spec.layer < plan.firstTrainedLayer) break;
      const auto memory = update_->gradients().acquire(tensor.range);
      for (std::int64_t i = 0; i < tensor.range.size(); ++i) {
        float& value = memory[static_cast<std::size_t>(i)];
        value = (add ? value : 0) + gradient[static_cast<std::size_t>(tensor.range.begin + i)];
      }
      update_->gradients().release(tensor.range);
      update_->gradientReady(tensor.range, part, part + 1 == plan.microBatches);
      update_->progress();
    }
  }

  Communicator& world_;
  const ParameterLayout& layout_;
  int drawnBy_;
  MemoryMeter meter_;
  std::unique_ptr<Device> device_;
  std::unique_ptr<Update> update_;
  std::int64_t updatesDone_ = 0;
};

/// The mean over ranks of what backward() makes in a step.
std::vector<double> meanGradient(const ParameterLayout& layout, int ranks, int step) {
  std::vector<double> mean(static_cast<std::size_t>(layout.size()));
  for (int rank = 0; rank < ranks; ++rank) {
    for (int part = 0; part < microBatches(step); ++part) {
      const auto gradient = test::randomGradient(layout.size(), rank, 10 * step + part);
      for (std::size_t i = 0; i < mean.size(); ++i) mean[i] += static_cast<double>(gradient[i]) / ranks;
    }
  }
  return mean;
}

test::ReferenceOptimizer startedReference(const OptimizerSpec& spec, const ParameterLayout& layout) {
  std::vector<float> start;
  for (std::int64_t i = 0; i < layout.size(); ++i) start.push_back(startAt(i));
  return {spec, layout, start};
}

using OptimizerCase = std::tuple<OptimizerKind, int, int, double>;  ///< optimizer, level, ranks, norm to clip to

class OptimizersByValue : public testing::TestWithParam<OptimizerCase> {};

TEST_P(OptimizersByValue, FollowThePapersOverAHundredSteps) {
  const auto [kind, level, ranks, clip] = GetParam();
  const ParameterLayout layout = smallNetwork();
  Experiment experiment;
  experiment.optimizer = specOf(kind, clip);
  experiment.parallel.ranks = ranks;
  experiment.parallel.optimizerParallel = {static_cast<ShardingLevel>(level), ranks, 0};
  test::spawnRanks(ranks, [&, ranks = ranks, level = level, clip = clip](Communicator& world) {
    TrainedRank run(world, layout, experiment, level == 0 ? makeAveraged : makeOptimizerParallel);
    test::ReferenceOptimizer reference = startedReference(experiment.optimizer, layout);
    std::int64_t updates = 0;
    int clipped = 0;
    for (int step = 0; step < steps; ++step) {
      const StepOutcome outcome = run.step(step);
      ASSERT_EQ(outcome.updated, !overflows(step));
      if (!outcome.updated) continue;
      const double rate = learningRate(experiment.optimizer.schedule, updates++, stepsAnEpoch, steps);
      reference.step(meanGradient(layout, ranks, step), rate, layout.rangeFromLayer(firstTrained(step)).end);
      ASSERT_EQ(outcome.metrics.contains("gradient_norm"), clip > 0);
      if (clip > 0) {
        ASSERT_NEAR(outcome.metrics.at("gradient_norm"), reference.gradientNorm, 1e-6) << step;
      }
      clipped += reference.gradientNorm > clip ? 1 : 0;
    }
    if (clip > 0) {
      EXPECT_TRUE(clipped > 10 && clipped < steps - 20) << clipped << " steps are clipped";
    }
    const auto weights = run.weights();
    for (std::size_t i = 0; i < weights.size(); ++i) ASSERT_NEAR(weights[i], reference.weights[i], 1e-6) << i;
  });
}

constexpr OptimizerKind allKinds[] = {OptimizerKind::sgd,   OptimizerKind::momentum, OptimizerKind::adam,
                                      OptimizerKind::adamw, OptimizerKind::lamb,     OptimizerKind::lars,
                                      OptimizerKind::lion};

std::string nameOfCase(const testing::TestParamInfo<OptimizerCase>& instance) {
  const auto& [kind, level, ranks, clip] = instance.param;
  return std::string(infoOf(kind).name) + "_level" + std::to_string(level) + "_ranks" + std::to_string(ranks) +
         (clip > 0 ? "_clipped" : "");
}

INSTANTIATE_TEST_SUITE_P(Whole, OptimizersByValue,
                         testing::Combine(testing::ValuesIn(allKinds), testing::Values(0), testing::Values(1, 2, 3, 8),
                                          testing::Values(0.0)),
                         nameOfCase);
INSTANTIATE_TEST_SUITE_P(Shards, OptimizersByValue,
                         testing::Combine(testing::ValuesIn(allKinds), testing::Values(1, 2, 3),
                                          testing::Values(2, 3, 8), testing::Values(0.0)),
                         nameOfCase);
INSTANTIATE_TEST_SUITE_P(Clipped, OptimizersByValue,
                         testing::Combine(testing::ValuesIn(allKinds), testing::Values(0, 1, 2, 3), testing::Values(3),
                                          testing::Values(2.2)),
                         nameOfCase);

/// Bytes of weights, gradients and optimizer state: ZeRO's 16, 8 + 8/N, 4 + 12/N and 16/N for each element of the
/// tutorials' MLP.
class AdamWBytes : public testing::TestWithParam<std::pair<int, double>> {};

TEST_P(AdamWBytes, OfTheSeedMlpAtEightRanks) {
  const auto [level, megabytes] = GetParam();
  const auto shape = networkShape(*builtInNetwork("mlp"), {28, 28, 1});
  ASSERT_TRUE(shape);
  const ParameterLayout layout(*shape);
  Experiment experiment;
  experiment.optimizer = specOf(OptimizerKind::adamw, 0);
  experiment.parallel.ranks = 8;
  experiment.parallel.optimizerParallel = {static_cast<ShardingLevel>(level), 8, 0};
  test::spawnRanks(8, [&, level = level, megabytes = megabytes](Communicator& world) {
    MemoryMeter meter;
    const auto device = openCpuDevice(meter);
    const auto update = (level == 0 ? makeAveraged : makeOptimizerParallel)(
        {layout, bucketsBySize(layout, 1 << 22), experiment, std::vector<int>(8), stepsAnEpoch, steps, world, *device,
         cpuKernelTables()});
    std::int64_t sum = 0;
    for (const auto category : {MemoryCategory::weights, MemoryCategory::gradients, MemoryCategory::optimizerState}) {
      sum += meter.peak()[static_cast<std::size_t>(category)];
    }
    EXPECT_NEAR(static_cast<double>(sum) / 1e6, megabytes, 0.005);
  });
}
INSTANTIATE_TEST_SUITE_P(Levels, AdamWBytes,
                         testing::Values(std::pair{0, 10.72}, std::pair{1, 6.03}, std::pair{2, 3.68},
                                         std::pair{3, 1.34}));

/// What Horovod's users run: every rank steps with an Adam of its own, Adasum combines how far they went. Ranks that
/// see the same gradient go exactly as far as one rank alone.
TEST(AdasumOfAdam, OfEqualRanksIsAdamOfOne) {
  const ParameterLayout layout = smallNetwork();
  for (const OptimizerKind kind : {OptimizerKind::adam, OptimizerKind::adamw, OptimizerKind::lamb}) {
    Experiment experiment;
    experiment.optimizer = specOf(kind, 1.5);
    experiment.boost.setOn("adasum", true);
    experiment.boost.edit<AdasumOptions>().mode = AdasumMode::deltas;
    test::spawnRanks(3, [&](Communicator& world) {
      TrainedRank run(world, layout, experiment, makeAdasum, true);
      test::ReferenceOptimizer reference = startedReference(experiment.optimizer, layout);
      std::int64_t updates = 0;
      for (int step = 0; step < steps; ++step) {
        if (!run.step(step).updated) continue;
        const double rate = learningRate(experiment.optimizer.schedule, updates++, stepsAnEpoch, steps);
        reference.step(meanGradient(layout, 1, step), rate, layout.rangeFromLayer(firstTrained(step)).end);
      }
      const auto weights = run.weights();
      for (std::size_t i = 0; i < weights.size(); ++i) ASSERT_NEAR(weights[i], reference.weights[i], 2e-6) << i;
      const auto state = run.update().state();
      ASSERT_EQ(state.size(), 3U);
      EXPECT_TRUE(state[0].perRank && state[1].perRank && !state[2].perRank);
      EXPECT_FALSE(run.update().traits().addsGradients);
    });
  }
}

/// By hand: orthogonal steps add up. Rank r alone has a gradient in tensor r, and Adam's first step is the rate.
TEST(AdasumOfAdam, OrthogonalStepsAddUp) {
  const auto layout = test::layoutOf({2, 2});
  Experiment experiment;
  experiment.optimizer = test::specOfKind(OptimizerKind::adam);
  experiment.optimizer.schedule.maximum = 0.25;
  experiment.boost.setOn("adasum", true);
  experiment.boost.edit<AdasumOptions>().mode = AdasumMode::deltas;
  test::spawnRanks(2, [&](Communicator& world) {
    test::UpdateRank rank(world, layout, bucketsBySize(layout, 1000), experiment, {0, 0}, makeAdasum);
    std::ranges::fill(rank.weights(), 1.0F);
    std::vector<float> gradient(4, 0.0F);
    gradient[static_cast<std::size_t>(world.rank())] = 3;
    rank.step(gradient);
    const std::vector<float> expected{0.75F, 0.75F, 1, 1};
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(rank.weights()[i], expected[i], 1e-6) << i;
  });
}

/// What was kept is all that the next step depends on, to the last bit.
class OptimizerState : public testing::TestWithParam<std::tuple<OptimizerKind, int>> {};

TEST_P(OptimizerState, GoesOnWithTheSameBits) {
  const auto [kind, level] = GetParam();
  const ParameterLayout layout = smallNetwork();
  Experiment experiment;
  experiment.optimizer = specOf(kind, 1.5);
  experiment.parallel.ranks = 3;
  experiment.parallel.optimizerParallel = {static_cast<ShardingLevel>(level), 3, 0};
  test::spawnRanks(3, [&, level = level](Communicator& world) {
    const auto make = level == 0 ? makeAveraged : makeOptimizerParallel;
    TrainedRank whole(world, layout, experiment, make);
    TrainedRank resumed(world, layout, experiment, make);
    for (int step = 0; step < 4; ++step) whole.step(step);
    for (int step = 0; step < 4; ++step) resumed.step(step);
    // Everything is spoilt but what a checkpoint holds.
    std::vector<std::vector<float>> kept;
    for (const StateTensor& state : whole.update().state()) kept.emplace_back(state.values.begin(), state.values.end());
    for (const StateTensor& state : resumed.update().state()) std::ranges::fill(state.values, 7.0F);
    const auto states = resumed.update().state();
    for (std::size_t k = 0; k < states.size(); ++k) std::ranges::copy(kept[k], states[k].values.begin());
    for (int step = 4; step < 9; ++step) {
      whole.step(step);
      resumed.step(step);
    }
    EXPECT_EQ(whole.weights(), resumed.weights());
    const std::size_t vectors = stateNames(experiment.optimizer).size();
    EXPECT_EQ(states.size(), vectors + (infoOf(experiment.optimizer.kind).correctsBias ? 1 : 0));
  });
}
INSTANTIATE_TEST_SUITE_P(All, OptimizerState,
                         testing::Combine(testing::ValuesIn(allKinds), testing::Values(0, 1, 2, 3)));

/// A gradient of one tensor that is no number leaves none in the others, as in PyTorch: the run ends over its loss.
TEST(Clipping, ANormThatIsNoNumberSpoilsTheStep) {
  const auto layout = test::layoutOf({2, 2});
  Experiment experiment = test::plainExperiment();
  experiment.optimizer.clipNorm = 1;
  test::spawnRanks(1, [&](Communicator& world) {
    test::UpdateRank rank(world, layout, bucketsBySize(layout, 1000), experiment, {0}, makeAveraged);
    rank.step({1, 1, NAN, 1});
    for (const float weight : rank.weights()) EXPECT_TRUE(std::isnan(weight));
  });
}

}  // namespace
}  // namespace slipstream
