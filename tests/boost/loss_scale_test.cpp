// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/loss_scale/loss_scale.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/boost/loss_scale/kernels.h"
#include "engine/device/cpu_device.h"
#include "tests/boost/update_fixture.h"

namespace slipstream {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();
constexpr float largest = std::numeric_limits<float>::max();

/// Whether all stayed within the limit.
bool unscale(std::span<float> values, double scale, float limit) {
  float overflowed = 0;
  cpuLossScaleKernels().unscale(hostQueue(), values.data(), values.size(), scale, limit, &overflowed);
  return overflowed == 0;
}

class LossScales : public testing::Test {
 protected:
  std::shared_ptr<LossScale> make(const LossScaleSpec& spec, const ParameterLayout& layout,
                                  const OptimizerSpec& optimizer = {},
                                  const LossScaleKernels& kernels = cpuLossScaleKernels()) {
    return makeLossScale(spec, optimizer, layout, kernels, *device_);
  }

 private:
  MemoryMeter meter_;
  std::unique_ptr<Device> device_ = openCpuDevice(meter_);
};

TEST(UnscaleKernel, MultipliesAndFindsWhatIsNotFinite) {
  for (const std::size_t count : {1U, 7U, 8U, 33U, 1000U}) {
    for (const float bad : {infinity, -infinity, std::nanf("")}) {
      for (const std::size_t place : {std::size_t{0}, count / 2, count - 1}) {
        std::vector<float> values(count, -3.0F);
        EXPECT_TRUE(unscale(values, 2.0, largest));
        EXPECT_EQ(values, std::vector<float>(count, -1.5F));
        values[place] = bad;
        EXPECT_FALSE(unscale(values, 2.0, largest));
      }
    }
  }
}

TEST(UnscaleKernel, TheLimitIsInside) {
  float value = 2.0F;
  EXPECT_TRUE(unscale(std::span(&value, 1), 1.0, 2.0F));
  EXPECT_FALSE(unscale(std::span(&value, 1), 1.0, std::nextafter(2.0F, 0.0F)));
}

TEST(UnscaleKernel, AScaleBeyondEveryFloatDividesToo) {
  std::vector<float> values{0x1p110F, -0x1.8p120F};
  EXPECT_TRUE(unscale(values, 0x1p230, largest));
  EXPECT_EQ(values, (std::vector<float>{0x1p-120F, -0x1.8p-110F}));
}

TEST_F(LossScales, AFixedScaleOfOneChangesNoBit) {
  const ParameterLayout layout = test::layoutOf({257});
  const auto scale = make({LossScaleKind::fixed, 1}, layout);
  StepPlan plan;
  scale->plan(0, plan);
  EXPECT_EQ(plan.lossScale, 1.0);
  const auto gradient = test::randomGradient(257, 0, 0);
  auto passed = gradient;
  scale->apply(plan, std::span(layout.tensors()).first(1), passed);
  EXPECT_EQ(passed, gradient);
  EXPECT_EQ(scale->overflowFlags()[0], 0.0);
}

TEST_F(LossScales, WhatIsNotDroppedIsDividedButNotVotedOn) {
  const ParameterLayout layout = test::layoutOf({3});
  LossScaleSpec spec{LossScaleKind::fixed, 64};
  spec.dropOverflowUpdate = false;
  const auto scale = make(spec, layout);
  StepPlan plan;
  scale->plan(0, plan);
  EXPECT_EQ(plan.lossScale, 64.0);
  EXPECT_TRUE(scale->overflowFlags().empty());
  std::vector<float> gradient{1, 2, infinity};
  scale->apply(plan, std::span(layout.tensors()).first(1), gradient);
  EXPECT_EQ(gradient, (std::vector<float>{1.0F / 64, 2.0F / 64, infinity}));
  EXPECT_TRUE(scale->overflowFlags().empty());
}

TEST_F(LossScales, AThousandAndOneOverflowsInARowEndTheRun) {
  const ParameterLayout layout = test::layoutOf({1});
  const auto scale = make({LossScaleKind::dynamic, 1024}, layout);
  StepPlan plan;
  StepOutcome outcome;
  outcome.overflow = true;
  for (int step = 0; step < 1000; ++step) {
    scale->plan(step, plan);
    scale->afterStep(plan, outcome);
  }
  EXPECT_EQ(plan.lossScale, 1.0);
  EXPECT_EQ(outcome.metrics.at("skipped_updates"), 1000);
  EXPECT_THROW(scale->afterStep(plan, outcome), Error);
}

TEST_F(LossScales, StateGoesOnWhereItWas) {
  const ParameterLayout layout = test::layoutOf({1, 1});
  OptimizerSpec optimizer;
  optimizer.groups = {{.match = {"t0"}}};
  for (const LossScaleKind kind : {LossScaleKind::fixed, LossScaleKind::dynamic, LossScaleKind::group}) {
    const LossScaleSpec spec{kind, 256, 2, 3};
    const auto steady = make(spec, layout, optimizer);
    const auto resumed = make(spec, layout, optimizer);
    for (int step = 0; step < 12; ++step) {
      StepPlan plan;
      StepPlan same;
      if (step == 5) resumed->restore(steady->state());
      steady->plan(step, plan);
      if (step >= 5) resumed->plan(step, same);
      StepOutcome outcome;
      outcome.overflow = step % 5 == 4;
      if (outcome.overflow) steady->overflowFlags()[0] = resumed->overflowFlags()[0] = 1;
      steady->afterStep(plan, outcome);
      if (step < 5) continue;
      EXPECT_EQ(plan.lossScale, same.lossScale);
      resumed->afterStep(plan, outcome);
    }
    EXPECT_EQ(steady->state(), resumed->state());
    const std::vector<double> foreign(4 + steady->state().size());
    EXPECT_THROW(resumed->restore(foreign), Error);
  }
}

TEST_F(LossScales, AGroupOverflowsAtItsOwnScale) {
  const ParameterLayout layout = test::layoutOf({2, 2});
  OptimizerSpec optimizer;
  optimizer.groups = {{.match = {"t0"}}};
  const auto scale = make({LossScaleKind::group, 1024}, layout, optimizer);
  StepOutcome outcome;
  StepPlan plan;
  for (int step = 0; step < 2; ++step) {  // group 0, t0, shrinks to 512; the other grows
    scale->plan(step, plan);
    scale->overflowFlags()[0] = 1;
    scale->afterStep(plan, outcome);
  }
  scale->plan(2, plan);
  EXPECT_NEAR(plan.lossScale, 512, 1e-9) << "the loss carries the smallest scale";
  const auto carried = static_cast<float>(plan.lossScale);
  // At 512 the value is finite, at 1026 it would not be.
  const float edge = largest / 700.0F;
  std::vector<float> gradient{carried, carried * edge};
  scale->apply(plan, std::span(&layout.tensor("t0"), 1), gradient);
  EXPECT_NEAR(gradient[0], 1.0, 1e-6);
  gradient = {carried, carried * edge};
  scale->apply(plan, std::span(&layout.tensor("t1"), 1), gradient);
  EXPECT_NEAR(gradient[0], 1.0, 1e-6);
  EXPECT_EQ(scale->overflowFlags()[0], 0.0);
  EXPECT_EQ(scale->overflowFlags()[1], 1.0);
  scale->afterStep(plan, outcome);
  scale->plan(3, plan);
  EXPECT_EQ(scale->overflowFlags()[1], 0.0) << "of the step before";
}

/// Sets the flags of the groups and returns whether the next step is a retry at smaller scales.
bool retriesAfter(LossScale& scale, const std::vector<double>& flags) {
  StepPlan plan;
  StepOutcome outcome;
  scale.plan(0, plan);
  std::ranges::copy(flags, scale.overflowFlags().begin());
  outcome.overflow = std::ranges::any_of(flags, [](double flag) { return flag > 0; });
  scale.afterStep(plan, outcome);
  return outcome.retriesSmaller;
}

TEST_F(LossScales, ARetryIsSmallerWhereTheGroupThatOverflowedShrinks) {
  const ParameterLayout layout = test::layoutOf({1, 1});
  OptimizerSpec optimizer;
  optimizer.groups = {{.match = {"t0"}}};
  const auto scale = make({LossScaleKind::group, 4}, layout, optimizer);
  EXPECT_FALSE(retriesAfter(*scale, {0, 0}));
  EXPECT_TRUE(retriesAfter(*scale, {1, 1}));
  EXPECT_TRUE(retriesAfter(*scale, {1, 0})) << "it has the smallest scale now";
  EXPECT_TRUE(retriesAfter(*scale, {0, 1})) << "the smallest scale grew, the one that overflowed shrank";
  for (int step = 0; step < 4; ++step) EXPECT_EQ(retriesAfter(*scale, {1, 0}), step < 3) << "at 2, 1.4, 1.001 and 0.7";
  EXPECT_TRUE(retriesAfter(*scale, {0, 1})) << "the other group has room left, though the smallest scale is below 1";
  EXPECT_FALSE(retriesAfter(*scale, {1, 1})) << "group 0 has none";
}

TEST_F(LossScales, ARetryOfADynamicScaleIsSmallerDownToOne) {
  const auto scale = make({LossScaleKind::dynamic, 4}, test::layoutOf({1}));
  EXPECT_TRUE(retriesAfter(*scale, {1}));
  EXPECT_TRUE(retriesAfter(*scale, {1}));
  EXPECT_FALSE(retriesAfter(*scale, {1})) << "it was 1";
}

/// The CPU's kernel, which counts how often it is asked.
int unscaled = 0;
void countAndUnscale(DeviceQueue& queue, float* gradient, std::size_t count, double scale, float limit,
                     float* overflowed) {
  ++unscaled;
  cpuLossScaleKernels().unscale(queue, gradient, count, scale, limit, overflowed);
}

TEST_F(LossScales, NeighboursOfOneScaleAreUnscaledInOneGo) {
  constexpr LossScaleKernels counting{countAndUnscale};
  const ParameterLayout layout = test::layoutOf({2, 3, 1, 2});
  OptimizerSpec optimizer;
  optimizer.groups = {{.match = {"t1"}}};
  for (const auto& [kind, calls] : {std::pair{LossScaleKind::dynamic, 1}, std::pair{LossScaleKind::group, 3}}) {
    const auto scale = make({kind, 4}, layout, optimizer, counting);
    StepPlan plan;
    scale->plan(0, plan);
    std::vector<float> gradients(8, 12.0F);
    gradients[7] = infinity;
    unscaled = 0;
    scale->apply(plan, layout.tensors(), gradients);
    EXPECT_EQ(unscaled, calls);
    EXPECT_EQ(std::vector(gradients.begin(), gradients.end() - 1), std::vector(7, 3.0F));
    EXPECT_EQ(scale->overflowFlags().back(), 1.0);
  }
}

TEST_F(LossScales, AnOverflowThatNobodyAskedAboutIsNotTheNextSteps) {
  const ParameterLayout layout = test::layoutOf({2});
  const auto scale = make({LossScaleKind::dynamic, 2}, layout);
  StepPlan plan;
  scale->plan(0, plan);
  std::vector<float> gradient{1, infinity};
  scale->apply(plan, std::span(layout.tensors()).first(1), gradient);
  scale->plan(1, plan);
  gradient = {1, 1};
  scale->apply(plan, std::span(layout.tensors()).first(1), gradient);
  EXPECT_EQ(scale->overflowFlags()[0], 0.0);
}

}  // namespace
}  // namespace slipstream
