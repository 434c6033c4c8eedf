// SPDX-License-Identifier: GPL-3.0-or-later
// The step by itself, with slots filled by hand: what policies and gradient passes decide is what happens.
#include "engine/train/train_step.h"

#include <cmath>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include "engine/base/clock.h"
#include "engine/boost/averaged/averaged.h"
#include "engine/devices/open_device.h"
#include "tests/boost/reference_sums.h"
#include "tests/support/spawn_ranks.h"

namespace slipstream {
namespace {

/// Says what it is told, and remembers what it saw.
class FixedPolicy final : public StepPolicy {
 public:
  explicit FixedPolicy(StepPlan plan) : plan_(plan) {}
  std::string name() const override { return "fixed"; }
  void plan(std::int64_t, StepPlan& plan) override { plan = plan_; }
  void afterStep(const StepPlan&, StepOutcome& outcome) override {
    outcome.metrics["skipped"] = outcome.overflow ? 1.0 : 0.0;
  }

 private:
  StepPlan plan_;
};

/// Overflows on one rank.
class OverflowOnRank final : public GradientPass {
 public:
  explicit OverflowOnRank(bool here) : flag_(here ? 1.0 : 0.0) {}
  std::string name() const override { return "overflow"; }
  void apply(const StepPlan&, std::span<const FlatTensor>, std::span<float>) override {}
  std::span<double> overflowFlags() override { return std::span(&flag_, 1); }

 private:
  double flag_;
};

/// Divides by the loss scale.
class Unscale final : public GradientPass {
 public:
  std::string name() const override { return "unscale"; }
  void apply(const StepPlan& plan, std::span<const FlatTensor>, std::span<float> gradient) override {
    for (float& value : gradient) value = static_cast<float>(value / plan.lossScale);
  }
};

NetworkSpec twoLayers() {
  LayerSpec first{.kind = LayerKind::dense, .name = "first", .outputs = 5};
  LayerSpec second{.kind = LayerKind::dense, .name = "second", .outputs = 3};
  return {"layers", {first, {.kind = LayerKind::relu}, second}};
}

Batch someBatch(std::int64_t count) {
  Batch batch;
  batch.count = count;
  for (std::int64_t i = 0; i < count * 4; ++i) batch.inputs.push_back(std::sin(static_cast<float>(i)));
  for (std::int64_t i = 0; i < count; ++i) batch.labels.push_back(static_cast<std::int32_t>(i % 3));
  return batch;
}

/// One rank with a small network, its slots and a batch of its own.
class Rank {
  Communicator& communicator_;
  Experiment experiment_;
  MemoryMeter meter_;
  std::unique_ptr<Device> device_ = std::move(openDevice(cpuKind(), 0, meter_).value());
  std::unique_ptr<Network> network_;

 public:
  explicit Rank(Communicator& communicator) : communicator_(communicator) {
    experiment_.optimizer.schedule.maximum = 0.1;
    network_ = makeNetwork(twoLayers(), {0, 0, 4}, 16, NumberType::float32, *device_);
    const ParameterLayout& layout = network_->layout();
    slots.update = makeAveraged({layout, bucketsBySize(layout, 16), experiment_,
                                 std::vector<int>(static_cast<std::size_t>(communicator.size())), 10, 100, communicator,
                                 *device_, cpuKernelTables()});
    initializeWeights(layout, slots.update->weights(), 5);
  }
  StepResult step(const Batch& batch) {
    NetworkPasses passes(*network_, experiment_.loss, *device_, makeDeviceLoss(*device_), nullptr);
    TrainStep step(passes, slots, communicator_);
    StepResult result = step.run(batch, 0);
    updatesDone = step.updatesDone();
    return result;
  }
  std::vector<float> weights() {
    const auto values = slots.update->weights().acquire({0, network_->layout().size()});
    return {values.begin(), values.end()};
  }
  const ParameterLayout& layout() const { return network_->layout(); }

  StepSlots slots;  ///< after what they stand on
  std::int64_t updatesDone = 0;
};

struct Stepped {
  StepResult result;
  std::vector<float> weights;
};

Stepped stepWith(const StepPlan& plan, std::int64_t samples) {
  Stepped stepped;
  test::spawnRanks(1, [&](Communicator& communicator) {
    Rank rank(communicator);
    rank.slots.policies.push_back(std::make_unique<FixedPolicy>(plan));
    rank.slots.gradientPasses.push_back(std::make_unique<Unscale>());
    stepped.result = rank.step(someBatch(samples));
    stepped.weights = rank.weights();
  });
  return stepped;
}

void expectNear(const std::vector<float>& a, const std::vector<float>& b, double tolerance) {
  ASSERT_EQ(a.size(), b.size());
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_NEAR(a[i], b[i], tolerance) << i;
}

TEST(TrainStep, MicroBatchesOfAnyNumberAreOneBatchToRounding) {
  const Stepped whole = stepWith({}, 13);
  for (const int parts : {2, 3, 5, 13, 40}) {  // uneven parts; more parts than samples
    const Stepped cut = stepWith({.microBatches = parts}, 13);
    EXPECT_NEAR(cut.result.loss, whole.result.loss, 1e-6) << parts;
    expectNear(cut.weights, whole.weights, 1e-6);
  }
}

/// Asks for both losses where an update would search, and then changes nothing.
class AskingUpdate final : public Update {
 public:
  explicit AskingUpdate(std::unique_ptr<Update> inner) : inner_(std::move(inner)) {}
  ParameterStore& weights() override { return inner_->weights(); }
  ParameterStore& gradients() override { return inner_->gradients(); }
  void gradientReady(Range, int, bool) override {}
  StepOutcome finish(StepContext& context) override {
    mean = context.meanLoss();
    trial = context.trialLoss();
    return {};
  }
  std::vector<StateTensor> state() override { return {}; }
  double learningRateAt(std::int64_t) const override { return 1; }
  std::string exchange() const override { return "none"; }

  double mean = 0;
  double trial = 0;

 private:
  std::unique_ptr<Update> inner_;
};

TEST(TrainStep, TheMeanLossIsTheStepsOwnOverRanksAndATrialInPlaceGivesItAgain) {
  std::vector<double> losses(3);
  test::spawnRanks(3, [&](Communicator& communicator) {
    Rank rank(communicator);
    rank.slots.policies.push_back(std::make_unique<FixedPolicy>(StepPlan{.microBatches = 2, .lossScale = 64}));
    auto asking = std::make_unique<AskingUpdate>(std::move(rank.slots.update));
    AskingUpdate& asked = *asking;
    rank.slots.update = std::move(asking);
    losses[static_cast<std::size_t>(communicator.rank())] = rank.step(someBatch(5 + communicator.rank())).loss;
    communicator.barrier();
    EXPECT_NEAR(asked.mean, std::accumulate(losses.begin(), losses.end(), 0.0) / 3, 1e-12);
    EXPECT_EQ(asked.trial, asked.mean);
  });
}

TEST(TrainStep, SummedMicroBatchesAddLossesAndGradients) {
  const Stepped start = stepWith({.firstTrainedLayer = 3}, 12);  // nothing is trained
  const Stepped mean = stepWith({.microBatches = 4}, 12);
  const Stepped sum = stepWith({.microBatches = 4, .sumMicroBatches = true}, 12);
  EXPECT_NEAR(sum.result.loss, 4 * mean.result.loss, 1e-5);
  for (std::size_t i = 0; i < start.weights.size(); ++i) {
    ASSERT_NEAR(sum.weights[i] - start.weights[i], 4 * (mean.weights[i] - start.weights[i]), 1e-6) << i;
  }
}

TEST(TrainStep, ALossScaleThatIsDividedOutAgainChangesNothing) {
  EXPECT_EQ(stepWith({.lossScale = 1024}, 12).weights, stepWith({}, 12).weights);
}

TEST(TrainStep, FrozenLayersKeepTheirWeightsAndOthersTakeTheWholeStep) {
  const Stepped start = stepWith({.firstTrainedLayer = 3}, 12);
  const Stepped whole = stepWith({}, 12);
  const Stepped upper = stepWith({.firstTrainedLayer = 1}, 12);
  constexpr std::size_t secondLayer = 5 * 3 + 3;  // stands first: layout is in backward order
  for (std::size_t i = 0; i < start.weights.size(); ++i) {
    ASSERT_EQ(upper.weights[i], i < secondLayer ? whole.weights[i] : start.weights[i]) << i;
  }
}

TEST(TrainStep, SeveralBatchesOfOneStepAreCutEachAndWeighedBySamples) {
  Batch batch = someBatch(11);
  batch.batchSize = 4;  // 4, 4 and 3 samples
  std::vector<std::int64_t> counts;
  double shares = 0;
  for (const MicroBatch& part : microBatchesOf(batch, {.microBatches = 2})) {
    counts.push_back(part.count);
    shares += part.share;
  }
  EXPECT_EQ(counts, (std::vector<std::int64_t>{2, 2, 2, 2, 1, 2}));
  EXPECT_NEAR(shares, 1.0, 1e-12);
  shares = 0;
  for (const MicroBatch& part : microBatchesOf(batch, {.microBatches = 2, .sumMicroBatches = true})) {
    shares += part.share;
  }
  EXPECT_NEAR(shares, 2.0, 1e-12);
}

/// An Update that only counts what it is told.
class Counting final : public Update {
 public:
  explicit Counting(std::unique_ptr<Update> inner) : inner_(std::move(inner)) {}
  ParameterStore& weights() override { return inner_->weights(); }
  ParameterStore& gradients() override { return inner_->gradients(); }
  void begin(const StepPlan& plan) override { inner_->begin(plan); }
  void progress() override { ++layersBackward; }
  void gradientReady(Range range, int microBatch, bool isLast) override {
    elementsReady += range.size();
    inner_->gradientReady(range, microBatch, isLast);
  }
  StepOutcome finish(StepContext& context) override { return inner_->finish(context); }
  std::vector<StateTensor> state() override { return inner_->state(); }
  double learningRateAt(std::int64_t updatesDone) const override { return inner_->learningRateAt(updatesDone); }
  std::string exchange() const override { return inner_->exchange(); }

  int layersBackward = 0;
  std::int64_t elementsReady = 0;

 private:
  std::unique_ptr<Update> inner_;
};

TEST(TrainStep, NothingBelowTheFirstTrainedLayerIsComputedOrExchanged) {
  for (const int first : {0, 1, 2, 3}) {
    test::spawnRanks(1, [&](Communicator& communicator) {
      Rank rank(communicator);
      auto counting = std::make_unique<Counting>(std::move(rank.slots.update));
      const Counting& counted = *counting;
      rank.slots.update = std::move(counting);
      rank.slots.policies.push_back(std::make_unique<FixedPolicy>(StepPlan{.firstTrainedLayer = first}));
      rank.step(someBatch(6));
      EXPECT_EQ(counted.layersBackward, 3 - first);
      EXPECT_EQ(counted.elementsReady, rank.layout().rangeFromLayer(first).size());
    });
  }
}

TEST(TrainStep, AnOverflowOnOneRankSkipsTheStepOnAll) {
  test::spawnRanks(3, [](Communicator& communicator) {
    Rank rank(communicator);
    rank.slots.policies.push_back(std::make_unique<FixedPolicy>(StepPlan{}));
    rank.slots.gradientPasses.push_back(std::make_unique<OverflowOnRank>(communicator.rank() == 1));
    const auto before = rank.weights();
    const StepResult result = rank.step(someBatch(6));
    EXPECT_TRUE(result.outcome.overflow);
    EXPECT_FALSE(result.outcome.updated);
    EXPECT_EQ(rank.updatesDone, 0);
    EXPECT_EQ(result.outcome.metrics.at("skipped"), 1.0);
    EXPECT_EQ(rank.weights(), before);
  });
}

TEST(TrainStep, TheVoteOnAnOverflowIsCommunication) {
  test::spawnRanks(2, [](Communicator& world) {
    test::ReferenceSums slow(world);
    Rank rank(slow);
    rank.slots.gradientPasses.push_back(std::make_unique<OverflowOnRank>(world.rank() == 1));
    const Stopwatch watch;
    const StepResult result = rank.step(someBatch(8));
    const double whole = watch.seconds();
    EXPECT_TRUE(result.outcome.overflow);
    EXPECT_GE(result.outcome.communication.exposed, test::ReferenceSums::pauseSeconds);
    EXPECT_LE(result.outcome.communication.exposed, whole);
  });
}

TEST(TrainStep, MeansOfLossesAreCommunicationToo) {
  test::spawnRanks(2, [](Communicator& world) {
    test::ReferenceSums slow(world);
    Rank rank(slow);
    rank.slots.update = std::make_unique<AskingUpdate>(std::move(rank.slots.update));
    EXPECT_GE(rank.step(someBatch(8)).outcome.communication.exposed, 2 * test::ReferenceSums::pauseSeconds);
  });
}

}  // namespace
}  // namespace slipstream
