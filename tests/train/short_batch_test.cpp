// SPDX-License-Identifier: GPL-3.0-or-later
// A short last batch weighs samples, not ranks: runs of thread ranks against plain gradient descent in double, written
// here, over the same samples. The network is one dense layer, so that the gradient is a line of arithmetic.
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/boost/algorithms.h"
#include "engine/data/dataset.h"
#include "engine/nn/network.h"
#include "tests/train/support/thread_run.h"

namespace slipstream {
namespace {

using test::MemoryStore;

constexpr std::size_t pixels = 28 * 28;
constexpr std::size_t outputs = 10;
constexpr double learningRate = 0.05;

NetworkSpec oneLayer() {
  return {"one_layer",
          {{.kind = LayerKind::flatten, .name = "flat"}, {.kind = LayerKind::dense, .name = "fc", .outputs = outputs}}};
}

/// Two epochs of `samples` in batches of 4 a rank.
RunPlan shortPlan(int ranks, std::int64_t samples, int batchesPerStep = 1) {
  RunPlan plan = test::digitsPlan(ranks, 0);
  Experiment& experiment = plan.experiment;
  experiment.network = oneLayer();
  experiment.dataset.batchSize = 4;
  experiment.dataset.trainSamples = samples;
  experiment.dataset.evaluationSamples = 2 * samples + 1;
  experiment.dataset.shuffle = false;
  experiment.dataset.dropRemainder = false;
  experiment.optimizer.kind = OptimizerKind::sgd;
  experiment.optimizer.momentum = 0;
  experiment.optimizer.schedule.maximum = learningRate;
  experiment.boost.setOn("grad_accumulation", batchesPerStep > 1);
  experiment.boost.edit<GradAccumulationOptions>().gradAccumulationStep = batchesPerStep;
  plan.trainSamples = samples;
  plan.stepsPerEpoch = stepsPerEpoch(experiment.dataset, samples, ranks, batchesPerStep);
  plan.totalSteps = 2 * plan.stepsPerEpoch;
  return plan;
}

/// The layer in double: weights [outputs, pixels], then biases.
struct Reference {
  std::vector<double> weights;
  const Images images;
  const DatasetSpec dataset;

  double input(std::size_t sample, std::size_t pixel) const {
    return (images.pixels[sample * pixels + pixel] / 255.0 - dataset.mean[0]) / dataset.deviation[0];
  }

  /// Loss of one sample, and whether it is right; its gradient times `share` is added.
  double pass(std::size_t sample, double share, std::vector<double>* gradient, bool* right = nullptr) const {
    std::vector<double> p(outputs);
    double sum = 0;
    for (std::size_t o = 0; o < outputs; ++o) {
      double logit = weights[outputs * pixels + o];
      for (std::size_t i = 0; i < pixels; ++i) logit += weights[o * pixels + i] * input(sample, i);
      p[o] = std::exp(logit);
      sum += p[o];
    }
    const auto label = static_cast<std::size_t>(images.labels[sample]);
    if (right != nullptr) *right = std::ranges::max_element(p) - p.begin() == static_cast<std::ptrdiff_t>(label);
    for (std::size_t o = 0; o < outputs && gradient != nullptr; ++o) {
      const double error = share * (p[o] / sum - (o == label ? 1 : 0));
      for (std::size_t i = 0; i < pixels; ++i) (*gradient)[o * pixels + i] += error * input(sample, i);
      (*gradient)[outputs * pixels + o] += error;
    }
    return -std::log(p[label] / sum);
  }

  /// The mean gradient of the samples [first, end), and their mean loss.
  std::vector<double> gradientOf(std::size_t first, std::size_t end, double* loss) const {
    std::vector<double> gradient(weights.size());
    const double share = 1.0 / static_cast<double>(end - first);
    for (std::size_t s = first; s < end; ++s) *loss += share * pass(s, share, &gradient);
    return gradient;
  }

  void step(const std::vector<double>& gradient) {
    for (std::size_t i = 0; i < weights.size(); ++i) weights[i] -= learningRate * gradient[i];
  }
};

Reference referenceOf(const Experiment& experiment, DataPart part) {
  const ParameterLayout layout(*networkShape(experiment.network, {28, 28, 1}));
  std::vector<float> start(static_cast<std::size_t>(layout.size()));
  initialWeights(layout, {0, layout.size()}, experiment.seed, start);
  std::vector<double> weights;
  for (const char* name : {"fc.weight", "fc.bias"}) {
    const Range range = layout.tensor(name).range;
    weights.insert(weights.end(), start.begin() + range.begin, start.begin() + range.end);
  }
  return {weights, *loadImages(experiment.dataset, part, experiment.seed), experiment.dataset};
}

void expectWeights(MemoryStore& store, const std::vector<double>& expected) {
  std::vector<float> found;
  for (const char* name : {"fc.weight", "fc.bias"}) {
    for (const TensorRecord& tensor : store.checkpoints.rbegin()->second.tensors) {
      if (tensor.name != name) continue;
      const auto& values = store.tensors.at(tensor.hash);
      found.insert(found.end(), values.begin(), values.end());
    }
  }
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t i = 0; i < found.size(); ++i) ASSERT_NEAR(found[i], expected[i], 2e-6) << i;
}

/// Trains `plan`, and the same in double with the mean over the samples of every step.
void expectMeansOverSamples(const RunPlan& plan) {
  MemoryStore store;
  test::trainRanks(store, plan);
  Reference reference = referenceOf(plan.experiment, DataPart::training);
  const auto losses = store.meanOf("loss");
  const std::size_t whole = static_cast<std::size_t>(samplesPerBatch(plan.experiment.dataset, plan.ranks()) *
                                                     batchesPerStep(plan.experiment));
  const auto samples = static_cast<std::size_t>(plan.trainSamples);
  std::size_t step = 0;
  for (int epoch = 0; epoch < 2; ++epoch) {
    for (std::size_t first = 0; first < samples; first += whole, ++step) {
      double loss = 0;
      const auto gradient = reference.gradientOf(first, std::min(first + whole, samples), &loss);
      ASSERT_LT(step, losses.size());
      EXPECT_NEAR(losses[step], loss, 1e-5) << "step " << step;
      reference.step(gradient);
    }
  }
  EXPECT_EQ(step, losses.size());
  expectWeights(store, reference.weights);

  Reference judge = referenceOf(plan.experiment, DataPart::evaluation);
  judge.weights = reference.weights;
  double loss = 0;
  double correct = 0;
  const auto count = static_cast<std::size_t>(judge.images.count());
  for (std::size_t s = 0; s < count; ++s) {
    bool right = false;
    loss += judge.pass(s, 0, nullptr, &right) / static_cast<double>(count);
    correct += right ? 1 : 0;
  }
  EXPECT_NEAR(store.meanOf("evaluation_loss").back(), loss, 1e-5) << "every sample once, whatever rank has it";
  EXPECT_NEAR(store.meanOf("accuracy").back(), correct / static_cast<double>(count), 1e-12);
}

class ShortBatch : public testing::TestWithParam<int> {};

TEST_P(ShortBatch, IsTheMeanOverItsSamples) {
  const std::int64_t whole = 4 * GetParam();
  for (const std::int64_t left : {std::int64_t{1}, std::int64_t{GetParam()} - 1, 2 * std::int64_t{GetParam()} + 1}) {
    SCOPED_TRACE(left);
    if (left > 0) expectMeansOverSamples(shortPlan(GetParam(), whole + left));
  }
}

TEST_P(ShortBatch, InMicroBatchesToo) {
  for (const int parts : {2, 3, 4}) {
    RunPlan plan = shortPlan(GetParam(), 4 * GetParam() + 2 * GetParam() + 1);
    plan.experiment.train.microSize = parts;
    expectMeansOverSamples(plan);
  }
}

TEST_P(ShortBatch, AsTheLastOfSeveralInOneStep) {
  for (const std::int64_t left : {1, 5}) expectMeansOverSamples(shortPlan(GetParam(), 8 * GetParam() + left, 3));
}

/// From level 2 on every micro-batch is exchanged: all ranks must pass as many.
TEST_P(ShortBatch, OfShardedGradientsAndWeights) {
  if (GetParam() == 1) return;  // one rank has nothing to share
  for (const ShardingLevel level : {ShardingLevel::level1, ShardingLevel::level2, ShardingLevel::level3}) {
    for (const std::int64_t left : {std::int64_t{1}, std::int64_t{GetParam()} + 1}) {
      RunPlan plan = shortPlan(GetParam(), 4 * GetParam() + left);
      plan.experiment.parallel.optimizerParallel = {level, GetParam(), 0};
      plan.experiment.train.microSize = 2;
      expectMeansOverSamples(plan);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Ranks, ShortBatch, testing::Values(1, 2, 3, 4, 8));

/// pair(a, b) of one tensor.
void addPair(const std::vector<double>& a, const std::vector<double>& b, std::size_t first, std::size_t end,
             std::vector<double>& sum) {
  double aa = 0;
  double bb = 0;
  double ab = 0;
  for (std::size_t i = first; i < end; ++i) {
    aa += a[i] * a[i];
    bb += b[i] * b[i];
    ab += a[i] * b[i];
  }
  for (std::size_t i = first; i < end; ++i) sum[i] = (1 - ab / (2 * aa)) * a[i] + (1 - ab / (2 * bb)) * b[i];
}

/// What the plan says of Adasum: ranks are combined as they are, of 2 and of 3 samples; the loss is the samples' mean.
TEST(ShortBatchOfAdasum, CombinesTheRanksOwnMeans) {
  RunPlan plan = shortPlan(2, 5);
  plan.experiment.boost.setOn("adasum", true);
  plan.experiment.boost.edit<AdasumOptions>().mode = AdasumMode::gradients;
  plan.experiment.boost.edit<AdasumOptions>().scope = AdasumScope::flat;
  MemoryStore store;
  test::trainRanks(store, plan);
  Reference reference = referenceOf(plan.experiment, DataPart::training);
  for (const double found : store.meanOf("loss")) {
    double low = 0;
    double high = 0;
    const auto a = reference.gradientOf(0, 2, &low);
    const auto b = reference.gradientOf(2, 5, &high);
    EXPECT_NEAR(found, (2 * low + 3 * high) / 5, 1e-5);
    std::vector<double> combined(a.size());
    addPair(a, b, 0, outputs * pixels, combined);
    addPair(a, b, outputs * pixels, a.size(), combined);
    reference.step(combined);
  }
  expectWeights(store, reference.weights);
}

}  // namespace
}  // namespace slipstream
