// SPDX-License-Identifier: GPL-3.0-or-later
// Loops over many values that threads share give the bits that one thread gives: the step, losses, and what stands
// around the products of a dense layer.
#include <algorithm>
#include <array>
#include <cmath>

#include <gtest/gtest.h>
#include <omp.h>

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/nn/loss.h"
#include "engine/nn/optimizer_kernels.h"
#include "engine/spec/network_layers.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

/// What `work` returns with so many threads.
template <class Work>
auto withThreads(int threads, const Work& work) {
  omp_set_num_threads(threads);
  auto result = work();
  omp_set_num_threads(1);
  return result;
}

template <class Work>
void expectSameBitsWithAnyNumberOfThreads(const Work& work) {
  const auto one = withThreads(1, work);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(withThreads(threads, work), one) << threads << " threads";
}

/// Tensors of more and of fewer elements than a chunk, one of rows whose mean is taken out.
const std::vector<TensorSegment> manyParts{{0, 100'003, 0, 0}, {100'003, 5, 1, 0}, {100'008, 64'000, 2, 640}};
constexpr std::size_t elements = 164'008;

struct SteppedVectors {
  std::vector<float> weights;
  std::vector<float> velocity;
  std::vector<std::uint16_t> copy;
  bool operator==(const SteppedVectors&) const = default;
};

std::vector<StepNumbers> numbersOfParts() {
  return {{0.1F, 0.5F, 0.01F, 0.9F, 1.0F}, {0.2F, 1.0F, 0.0F, 0.8F, 0.5F}, {0.3F, 0.25F, 0.02F, 0.7F, 1.0F}};
}

SteppedVectors stepTwice(StepForm form) {
  SteppedVectors made{drawn(elements, 1), drawn(elements, 2), std::vector<std::uint16_t>(elements)};
  const auto gradients = drawn(elements, 3);
  const auto numbers = numbersOfParts();
  const OptimizerKernels& kernels = cpuOptimizerKernels();
  const auto plan = kernels.plan(hostQueue(), manyParts);
  FlatStep step{form, made.weights.data(), gradients.data(), made.velocity.data(), numbers};
  step.copyType = WeightCopy::bfloat16;
  step.copy = made.copy.data();
  for (int times = 0; times < 2; ++times) kernels.step(hostQueue(), *plan, step);
  return made;
}

/// One step of one element, in double.
struct Reference {
  double weight;
  double velocity;
  void step(double gradient, const StepNumbers& by, StepForm form) {
    const double along = gradient * static_cast<double>(by.inverseScale) + static_cast<double>(by.decay) * weight;
    const double momentum = form == StepForm::plain ? 0 : static_cast<double>(by.momentum);
    const double keep = form == StepForm::plain ? 1 : static_cast<double>(by.keepGradient);
    velocity = momentum * velocity + keep * along;
    const double moved = form == StepForm::nesterov ? along + momentum * velocity : velocity;
    weight -= static_cast<double>(by.rate) * moved;
  }
};

class SteppedByThreads : public testing::TestWithParam<StepForm> {};

TEST_P(SteppedByThreads, TheBitsOfOneThread) {
  expectSameBitsWithAnyNumberOfThreads([] { return stepTwice(GetParam()); });
}

TEST_P(SteppedByThreads, EveryElementOnceAndAsInDouble) {
  const SteppedVectors made = withThreads(3, [] { return stepTwice(GetParam()); });
  const auto weights = wide(drawn(elements, 1)), velocity = wide(drawn(elements, 2)),
             gradients = wide(drawn(elements, 3));
  const auto numbers = numbersOfParts();
  double largest = 0;
  for (const TensorSegment& part : manyParts) {
    const std::size_t row = part.row == 0 ? part.elements : part.row;
    for (std::size_t i = part.start; i < part.start + part.elements; ++i) {
      const std::size_t first = part.start + (i - part.start) / row * row;
      double mean = 0;
      for (std::size_t k = first; part.row != 0 && k < first + row; ++k)
        mean += gradients[k] / static_cast<double>(row);
      Reference element{weights[i], velocity[i]};
      for (int times = 0; times < 2; ++times) element.step(gradients[i] - mean, numbers[part.tensor], GetParam());
      largest = std::max(largest, std::abs(element.weight - static_cast<double>(made.weights[i])));
    }
  }
  EXPECT_LT(largest, 1e-6);
}

std::string nameOfForm(const testing::TestParamInfo<StepForm>& instance) {
  constexpr std::array<const char*, 3> names{"Plain", "Momentum", "Nesterov"};
  return names.at(static_cast<std::size_t>(instance.param));
}

INSTANTIATE_TEST_SUITE_P(Forms, SteppedByThreads,
                         testing::Values(StepForm::plain, StepForm::momentum, StepForm::nesterov), nameOfForm);

TEST(LossOfThreads, HasTheBitsOfOneThread) {
  constexpr std::int64_t samples = 257, classes = 100;
  const auto logits = drawn(samples * classes, 4);
  std::vector<std::int32_t> labels;
  for (std::int64_t i = 0; i < samples; ++i) labels.push_back(static_cast<std::int32_t>(i % classes));
  const auto lossWith = [&](bool dense) {
    std::vector<float> gradient(logits.size());
    std::vector<float> targets(logits.size());
    for (std::size_t i = 0; i < labels.size(); ++i) targets[i * classes + static_cast<std::size_t>(labels[i])] = 1;
    const LossResult result = dense ? crossEntropyDense(logits, targets, classes, gradient, 3.0)
                                    : crossEntropy({}, logits, labels, classes, gradient, 3.0);
    gradient.push_back(static_cast<float>(result.correct));
    return std::pair(result.loss, gradient);
  };
  for (const bool dense : {false, true}) {
    expectSameBitsWithAnyNumberOfThreads([&] { return lossWith(dense); });
  }
  EXPECT_NEAR(lossWith(false).first, lossWith(true).first, 1e-12);
}

TEST(LossOfThreads, AWrongLabelIsRefusedByAllOfThem) {
  const std::vector<float> logits(50'000);
  std::vector<std::int32_t> labels(500);
  labels[400] = 100;
  EXPECT_THROW(withThreads(3, [&] { return crossEntropy({}, logits, labels, 100, {}, 1.0).loss; }), Error);
}

/// One input: what is left of the products is exact, whoever makes them.
TEST(DenseOfThreads, BiasReluAndTheBiasGradientHaveTheBitsOfOneThread) {
  constexpr std::int64_t samples = 300, hidden = 500;
  LayerList list;
  list.add({.kind = LayerKind::flatten});
  list.add({.kind = LayerKind::dense, .outputs = hidden});
  list.add({.kind = LayerKind::relu});
  const NetworkSpec network{"layers", list.take()};
  expectSameBitsWithAnyNumberOfThreads([&] {
    NetworkBench bench(network, {1, 1, 1}, samples);
    std::vector<std::vector<float>> made;
    made.push_back(bench.forward(drawn(samples, 5), samples));
    for (const bool accumulate : {false, true}) {
      bench.backward(drawn(samples * hidden, 6), samples, accumulate);
      const auto gradients = bench.all(bench.gradients);
      made.emplace_back(gradients.begin(), gradients.begin() + hidden);
    }
    return made;
  });
}

TEST(DenseOfThreads, AgreesWithTheReference) {
  LayerList list;
  list.add({.kind = LayerKind::conv2d, .outputs = 3, .kernel = 3});
  list.add({.kind = LayerKind::globalAvgPool});
  list.add({.kind = LayerKind::dense, .outputs = 40});
  list.add({.kind = LayerKind::relu});
  list.add({.kind = LayerKind::dense, .outputs = 7});
  const NetworkSpec network{"layers", list.take()};
  withThreads(3, [&] {
    expectForwardAndGradients(network, {6, 5, 2}, 9);
    return 0;
  });
}

TEST(PoolOfThreads, GlobalAveragesHaveTheBitsOfOneThread) {
  LayerList list;
  list.add({.kind = LayerKind::globalAvgPool});
  const NetworkSpec network{"layers", list.take()};
  constexpr std::int64_t samples = 50;
  expectSameBitsWithAnyNumberOfThreads([&] {
    NetworkBench bench(network, {16, 16, 24}, samples);
    return bench.forward(drawn(samples * 16 * 16 * 24, 7), samples);
  });
}

}  // namespace
}  // namespace slipstream::test
