// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/optimizer.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/base/random.h"
#include "engine/spec/network_spec.h"
#include "tests/nn/host.h"
#include "tests/nn/shapes.h"

namespace slipstream {
namespace {

OptimizerSpec momentumSpec(double rate) {
  OptimizerSpec spec;
  spec.schedule.maximum = rate;
  return spec;
}

/// One weight of value `start` through some steps with gradient 1.
std::vector<float> trace(const OptimizerSpec& spec, float start, int steps) {
  const ParameterLayout layout(test::unitTensors(1));
  test::Host host;
  Optimizer optimizer(spec, layout, {0, 1}, 1.0, steps, *host.device, cpuOptimizerKernels());
  std::vector<float> weight{start};
  const std::vector<float> gradient{1.0F};
  std::vector<float> seen;
  for (int step = 0; step < steps; ++step) {
    optimizer.update({0, 1}, weight, gradient, step);
    seen.push_back(weight[0]);
  }
  return seen;
}

TEST(Optimizer, MomentumByHand) {
  auto spec = momentumSpec(0.5);
  spec.momentum = 0.5;
  // v: 1, 1.5, 1.75
  EXPECT_EQ(trace(spec, 4.0F, 3), (std::vector<float>{3.5F, 2.75F, 1.875F}));
  spec.nesterov = true;
  // steps along g + 0.5 v: 1.5, 1.75, 1.875
  EXPECT_EQ(trace(spec, 4.0F, 3), (std::vector<float>{3.25F, 2.375F, 1.4375F}));
}

TEST(Optimizer, DampeningStartsAfterTheFirstStep) {
  auto spec = momentumSpec(1.0);
  spec.kind = OptimizerKind::sgd;
  spec.momentum = 0.5;
  spec.dampening = 0.5;
  // v: 1, 0.5 + 0.5, 0.5 + 0.5
  EXPECT_EQ(trace(spec, 4.0F, 3), (std::vector<float>{3.0F, 2.0F, 1.0F}));
}

TEST(Optimizer, DecayIsAddedToTheUnscaledGradient) {
  auto spec = momentumSpec(1.0);
  spec.kind = OptimizerKind::sgd;
  spec.momentum = 0.0;
  spec.weightDecay = 0.25;
  spec.lossScale = 2.0;
  // 4 - (0.5 + 1)
  EXPECT_EQ(trace(spec, 4.0F, 1), (std::vector<float>{2.5F}));
}

/// Weights after one step with gradient 0, so that only decay moves them.
std::vector<float> decayed(const OptimizerSpec& spec, const std::vector<std::string>& names) {
  NetworkShape shape;
  for (const auto& name : names) shape.tensors.push_back({name, {1}, 0, 1, 1, {}});
  const ParameterLayout layout(shape);
  test::Host host;
  Optimizer optimizer(spec, layout, {0, layout.size()}, 1.0, 1, *host.device, cpuOptimizerKernels());
  std::vector<float> weights(names.size(), 1.0F);
  const std::vector<float> gradients(names.size(), 0.0F);
  optimizer.update({0, layout.size()}, weights, gradients, 0);
  return {weights.rbegin(), weights.rend()};  // in the order of the names
}

TEST(Optimizer, UngroupedMomentumSparesGammaAndBetaFromDecayAndSgdDoesNot) {
  auto spec = momentumSpec(1.0);
  spec.weightDecay = 0.5;
  const std::vector<std::string> names{"conv.weight", "conv.bias", "bn.gamma", "bn.beta"};
  EXPECT_EQ(decayed(spec, names), (std::vector<float>{0.5F, 0.5F, 1.0F, 1.0F}));
  spec.kind = OptimizerKind::sgd;
  EXPECT_EQ(decayed(spec, names), (std::vector<float>{0.5F, 0.5F, 0.5F, 0.5F}));
}

TEST(Optimizer, TheFirstGroupThatMatchesOwnsATensor) {
  auto spec = momentumSpec(1.0);
  spec.weightDecay = 0.5;
  ParameterGroupSpec biases;
  biases.match = {"*.bias", "*.beta"};
  biases.weightDecay = 0.0;
  ParameterGroupSpec convolutions;
  convolutions.match = {"conv*"};
  convolutions.schedule = ScheduleSpec{.maximum = 0.5};
  spec.groups = {biases, convolutions};
  EXPECT_EQ(decayed(spec, {"conv.weight", "conv.bias", "fc.weight", "bn.beta"}),
            (std::vector<float>{0.75F, 1.0F, 0.5F, 1.0F}));
}

std::vector<float> drawnNormal(std::int64_t count, std::uint64_t number) {
  Random random(5, RandomStream::test, number);
  std::vector<float> values(static_cast<std::size_t>(count));
  for (auto& value : values) value = static_cast<float>(random.normal());
  return values;
}

TEST(Optimizer, ShardsAndCutTensorsGiveTheBitsOfTheWhole) {
  auto spec = momentumSpec(0.1);
  spec.weightDecay = 1e-3;
  const ParameterLayout layout(test::shapeOf({{"a.weight", {13, 7}}, {"bn.gamma", {5}}, {"b.weight", {31}}}));
  test::Host host;
  const auto size = layout.size();
  Optimizer whole(spec, layout, {0, size}, 1.0, 3, *host.device, cpuOptimizerKernels());
  auto together = drawnNormal(size, 0);
  auto apart = together;
  const std::vector<std::int64_t> cuts{0, 17, 33, 35, 90, size};
  std::vector<Optimizer> shards;
  for (std::size_t i = 0; i + 1 < cuts.size(); ++i) {
    shards.emplace_back(spec, layout, Range{cuts[i], cuts[i + 1]}, 1.0, 3, *host.device, cpuOptimizerKernels());
    EXPECT_EQ(std::ssize(shards.back().state()), cuts[i + 1] - cuts[i]);
  }
  for (std::int64_t step = 0; step < 3; ++step) {
    const auto gradients = drawnNormal(size, static_cast<std::uint64_t>(step + 1));
    whole.update({0, size}, together, gradients, step);
    for (std::size_t i = 0; i < shards.size(); ++i) {
      const auto begin = static_cast<std::size_t>(cuts[i]);
      const auto count = static_cast<std::size_t>(cuts[i + 1] - cuts[i]);
      shards[i].update({cuts[i], cuts[i + 1]}, std::span(apart).subspan(begin, count),
                       std::span(gradients).subspan(begin, count), step);
    }
    EXPECT_EQ(apart, together);
  }
}

TEST(Optimizer, StateIsMeasuredAndAbsentForPlainSgd) {
  const ParameterLayout layout(test::unitTensors(6));
  test::Host host;
  auto spec = momentumSpec(0.1);
  Optimizer optimizer(spec, layout, {1, 4}, 1.0, 1, *host.device, cpuOptimizerKernels());
  EXPECT_EQ(host.meter.peak()[static_cast<std::size_t>(MemoryCategory::optimizerState)], 12);
  spec.kind = OptimizerKind::sgd;
  spec.momentum = 0.0;
  EXPECT_TRUE(Optimizer(spec, layout, {0, 6}, 1.0, 1, *host.device, cpuOptimizerKernels()).state().empty());
}

/// A table that only writes down what it is asked for.
struct Asked {
  static inline int plans = 0;
  static inline std::vector<TensorSegment> parts;
  static inline std::vector<StepNumbers> numbers;
  static inline std::vector<SegmentShift> shifts;

  static std::unique_ptr<SegmentPlan> plan(DeviceQueue& queue, std::span<const TensorSegment> of) {
    ++plans;
    return makeSegmentPlan(queue, of);
  }
  static void step(DeviceQueue&, const SegmentPlan& of, const FlatStep& step) {
    parts.assign(of.segments().begin(), of.segments().end());
    numbers.assign(step.numbers.begin(), step.numbers.end());
    shifts.assign(step.shifts.begin(), step.shifts.end());
  }
};

TEST(Optimizer, ResNet50IsSteppedInOneGoByAPlanThatIsKept) {
  const NetworkShape shape = networkShape(*builtInNetwork("resnet50"), {224, 224, 3}).value();
  const ParameterLayout layout(shape);
  ASSERT_EQ(layout.tensors().size(), 161U);
  auto spec = momentumSpec(0.1);
  spec.weightDecay = 0.5;
  spec.momentum = 0;
  test::Host host;
  constexpr OptimizerKernels spy{Asked::plan, Asked::step};
  Asked::plans = 0;
  Optimizer optimizer(spec, layout, {0, layout.size()}, 1.0, 2, *host.device, spy);
  const auto size = static_cast<std::size_t>(layout.size());
  const auto memory = std::make_unique_for_overwrite<float[]>(size);
  const std::span<float> values(memory.get(), size);
  optimizer.update({0, layout.size()}, values, values, 0);
  optimizer.update({0, layout.size()}, values, values, 1);
  EXPECT_EQ(Asked::plans, 1);
  ASSERT_EQ(Asked::parts.size(), 161U);
  std::size_t chunks = 0;
  for (std::size_t t = 0; t < 161; ++t) {
    const FlatTensor& tensor = layout.tensors()[t];
    EXPECT_EQ(static_cast<std::int64_t>(Asked::parts[t].start), tensor.range.begin);
    EXPECT_EQ(static_cast<std::int64_t>(Asked::parts[t].elements), tensor.range.size());
    const bool spared = tensor.spec.name.ends_with("gamma") || tensor.spec.name.ends_with("beta");
    EXPECT_EQ(Asked::numbers[Asked::parts[t].tensor].decay, spared ? 0.0F : 0.5F) << tensor.spec.name;
    chunks += (Asked::parts[t].elements + chunkElements - 1) / chunkElements;
  }
  const ChunkTable table = chunksOf(Asked::parts);
  EXPECT_EQ(table.chunks.size(), chunks);
  EXPECT_EQ(table.chunks.back().start + table.chunks.back().elements, size);
}

TEST(Optimizer, APartOfTensorsIsNumberedByTheTensorsItTouches) {
  auto spec = momentumSpec(0.1);
  spec.kind = OptimizerKind::sgd;
  const ParameterLayout layout(test::shapeOf({{"c.weight", {31}}, {"b.empty", {0}}, {"a.weight", {13, 7}}}));
  test::Host host;
  constexpr OptimizerKernels spy{Asked::plan, Asked::step};
  Optimizer optimizer(spec, layout, {0, layout.size()}, 1.0, 1, *host.device, spy);
  std::vector<float> values(20);
  optimizer.update({85, 105}, values, values, 0);
  ASSERT_EQ(Asked::parts.size(), 2U);  // nothing of the empty one
  EXPECT_EQ(Asked::parts[0].start, 0U);
  EXPECT_EQ(Asked::parts[0].elements, 6U);
  EXPECT_EQ(Asked::parts[1].start, 6U);
  EXPECT_EQ(Asked::parts[1].elements, 14U);
  EXPECT_EQ(Asked::numbers.size(), 2U);
}

/// Ranges [0, 5) and [9, 15) of the flat space, as ranks hold shards: one after the other in the velocity, apart in the
/// weights, and elsewhere again in the gradients.
class ShardsOfTensors : public testing::Test {
 protected:
  std::vector<SteppedRange> ranges(std::vector<float>& weights) const {
    return {{{9, 15}, std::span(weights).subspan(20, 6), std::span(gradients_).subspan(9, 6)},
            {{0, 5}, std::span(weights).subspan(3, 5), std::span(gradients_).subspan(0, 5)}};
  }
  Optimizer make(const OptimizerKernels& kernels) const {
    return {momentumSpec(0.1), layout_, {0, 15}, 1.0, 3, *host_.device, kernels};
  }

  ParameterLayout layout_{test::shapeOf({{"c.weight", {6}}, {"b.weight", {4}}, {"a.weight", {5}}})};
  test::Host host_;
  std::vector<float> gradients_{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15};
};

TEST_F(ShardsOfTensors, AreSteppedTogetherAsEachByItself) {
  std::vector<float> together(30, 1.0F);
  std::vector<float> apart = together;
  Optimizer one = make(cpuOptimizerKernels());
  Optimizer other = make(cpuOptimizerKernels());
  for (int step = 0; step < 3; ++step) {
    one.update(ranges(together), step);
    for (const SteppedRange& each : ranges(apart)) other.update(each.range, each.weights, each.gradients, step);
  }
  EXPECT_EQ(together, apart);
  EXPECT_NE(together, std::vector<float>(30, 1.0F));
  EXPECT_TRUE(std::ranges::equal(one.state(), other.state()));
}

TEST_F(ShardsOfTensors, AreToldTheDeviceOnce) {
  constexpr OptimizerKernels spy{Asked::plan, Asked::step};
  Optimizer optimizer = make(spy);
  std::vector<float> weights(30);
  Asked::plans = 0;
  for (int step = 0; step < 2; ++step) optimizer.update(ranges(weights), step);
  EXPECT_EQ(Asked::plans, 1);
  ASSERT_EQ(Asked::parts.size(), 2U);
  EXPECT_EQ(Asked::parts[0].start, 17U);
  EXPECT_EQ(Asked::parts[1].start, 0U) << "counted from the first of the weights";
  ASSERT_EQ(Asked::shifts.size(), 2U);
  EXPECT_EQ(Asked::shifts[0].gradients, 9 - 17);
  EXPECT_EQ(Asked::shifts[0].velocity, 9 - 17);
  EXPECT_EQ(Asked::shifts[1].gradients, 0);
  optimizer.update({0, 15}, std::span(weights).first(15), gradients_, 2);
  EXPECT_TRUE(Asked::shifts.empty()) << "they begin alike";
}

TEST(Optimizer, RangesThatAreNotOwnedOrDoNotFitThrow) {
  const ParameterLayout layout(test::unitTensors(6));
  test::Host host;
  Optimizer optimizer(momentumSpec(0.1), layout, {1, 4}, 1.0, 1, *host.device, cpuOptimizerKernels());
  std::vector<float> values(6);
  EXPECT_THROW(optimizer.update({0, 6}, values, values, 0), Error);
  EXPECT_THROW(optimizer.update({1, 3}, values, values, 0), Error);
}

}  // namespace
}  // namespace slipstream
