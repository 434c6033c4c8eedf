// SPDX-License-Identifier: GPL-3.0-or-later
#include <numeric>

#include "engine/base/number_type.h"
#include "engine/nn/optimizer_kernels.h"
#include "tests/kernels/kernels_fixture.h"

namespace slipstream {
namespace {

using namespace test;

class OptimizerOn : public Kernels {
 protected:
  const OptimizerKernels& kernels() const {
    return tableOf(cpuOptimizerKernels, cudaOptimizerKernels, npuOptimizerKernels);
  }
};
SLIPSTREAM_ON_ALL_DEVICES(OptimizerOn);

constexpr StepNumbers slow{0.1F, 0.5F, 0.01F, 0.9F, 0.8F, 0.99F, 0.75F, 0.25F, 2.0F, 1e-4F};
constexpr StepNumbers fast{0.7F, 0.25F, 0.0F, 0.9F, 1.0F, 1.0F, 0.999F, 0.001F, 1.0F, 1e-8F};
constexpr std::array<StepNumbers, 2> numbers{slow, fast};

struct State {
  std::vector<float> weights;
  std::vector<float> velocity;
  std::vector<float> secondMoment = {};
};

/// Adam's moments of element i behind a step along `gradient`; gives what adam moves along.
float steppedMoments(State& state, std::size_t i, float gradient, const StepNumbers& by) {
  const float firstKept = by.momentum * state.velocity[i];
  state.velocity[i] = firstKept + by.keepGradient * gradient;
  const float square = gradient * gradient;
  const float secondKept = by.momentum2 * state.secondMoment[i];
  state.secondMoment[i] = secondKept + by.keepGradient2 * square;
  const float root = std::sqrt(state.secondMoment[i]) * by.correction2;
  return by.rate * (state.velocity[i] / (root + by.epsilon));
}

/// The forms that are no line in the gradient.
void stepCurved(StepForm form, State& state, std::size_t i, float gradient, const StepNumbers& by) {
  if (form == StepForm::direction) {  // weights and gradients have changed places
    const float moved = steppedMoments(state, i, state.weights[i] * by.inverseScale, by);
    const float decayed = by.decay * gradient;
    state.weights[i] = moved + decayed;
    return;
  }
  const float decayed = by.decay * state.weights[i];
  const float along = gradient * by.inverseScale + decayed;
  const float shrunk = by.shrink * state.weights[i];
  if (form == StepForm::adam) {
    state.weights[i] = shrunk - steppedMoments(state, i, along, by);
    return;
  }
  const float kept = by.momentum * state.velocity[i];
  const float mixed = kept + by.keepGradient * along;
  const float sign = mixed > 0 ? 1.0F : mixed < 0 ? -1.0F : mixed;
  state.weights[i] = shrunk - by.rate * sign;
  const float longer = by.momentum2 * state.velocity[i];
  state.velocity[i] = longer + by.keepGradient2 * along;
}

/// The formulas of StepForm, written once more; `mean` of each element's row.
State expectedOf(StepForm form, State state, const std::vector<float>& gradients,
                 const std::vector<TensorSegment>& parts) {
  for (const TensorSegment& part : parts) {
    const StepNumbers& by = numbers[part.tensor];
    double mean = 0;
    for (std::size_t i = part.start; i < part.start + part.elements; ++i) {
      if (part.row > 0 && (i - part.start) % part.row == 0) {
        mean = 0;
        for (std::size_t k = 0; k < part.row; ++k) mean += static_cast<double>(gradients[i + k]);
        mean /= static_cast<double>(part.row);
      }
      if (form == StepForm::adam || form == StepForm::direction || form == StepForm::sign) {
        stepCurved(form, state, i, gradients[i] - static_cast<float>(mean), by);
        continue;
      }
      const float scaled = (gradients[i] - static_cast<float>(mean)) * by.inverseScale;
      const float decayed = by.decay * state.weights[i];
      const float along = scaled + decayed;
      if (form == StepForm::plain) {
        state.weights[i] -= by.rate * along;
        continue;
      }
      const float kept = by.momentum * state.velocity[i];
      state.velocity[i] = kept + by.keepGradient * along;
      const float ahead = by.momentum * state.velocity[i];
      state.weights[i] -= by.rate * (form == StepForm::nesterov ? along + ahead : state.velocity[i]);
    }
  }
  return state;
}

constexpr std::array<StepForm, 3> linearForms{StepForm::plain, StepForm::momentum, StepForm::nesterov};

/// Where numbers are awkward: a second moment is never negative.
State drawnState(std::size_t size, std::uint64_t seed) {
  return {awkwardValues(size, seed), randomValues(size, seed + 1), randomValues(size, seed + 2, 0, 1)};
}

/// Odd lengths, one empty, one of several chunks, and elements between them that belong to no part.
std::vector<TensorSegment> unevenParts() {
  return {{0, 1, 0}, {1, 150, 1}, {151, 0, 0}, {160, 40'003, 0}, {40'164, 4096, 1}};
}
constexpr std::size_t unevenSize = 44'300;

TEST_P(OptimizerOn, StepsEveryPartWithItsOwnNumbers) {
  const auto parts = unevenParts();
  const auto plan = kernels().plan(queue(), parts);
  const auto gradients = awkwardValues(unevenSize, 1);
  const State before = drawnState(unevenSize, 2);
  for (const StepForm form : stepForms) {
    for (const std::size_t offset : {0U, 1U}) {
      DeviceVector<float> weights(device(), before.weights, offset);
      DeviceVector<float> slope(device(), gradients, offset);
      DeviceVector<float> velocity(device(), before.velocity, 2 * offset);
      DeviceVector<float> second(device(), before.secondMoment, 3 * offset);
      kernels().step(queue(), *plan,
                     {.form = form,
                      .weights = weights.data(),
                      .gradients = slope.data(),
                      .velocity = velocity.data(),
                      .numbers = numbers,
                      .secondMoment = second.data()});
      const State expected = expectedOf(form, before, gradients, parts);
      expectSameBits(weights.read(), expected.weights, "weights at " + std::to_string(offset));
      expectSameBits(velocity.read(), expected.velocity, "velocity at " + std::to_string(offset));
      expectSameBits(second.read(), expected.secondMoment, "second moment at " + std::to_string(offset));
      expectSameBits(slope.read(), gradients, "gradients");
    }
  }
}

/// Of shards: weights and gradients are kept whole, the velocity without gaps.
TEST_P(OptimizerOn, StepsPartsThatStandElsewhereInOtherVectors) {
  constexpr std::size_t size = 22'000;
  const std::vector<TensorSegment> parts{{0, 33, 0}, {100, 20'001, 1}};
  const std::array<SegmentShift, 2> shifts{SegmentShift{7, 0}, SegmentShift{1001, -67}};
  const auto placed = [&](const std::vector<float>& values, std::ptrdiff_t SegmentShift::*in) {
    std::vector<float> moved(size);
    for (const TensorSegment& part : parts) {
      const auto from = values.begin() + static_cast<std::ptrdiff_t>(part.start);
      std::copy_n(from, part.elements, moved.begin() + (from - values.begin()) + shifts[part.tensor].*in);
    }
    return moved;
  };
  const auto plan = kernels().plan(queue(), parts);
  const auto gradients = awkwardValues(size, 1);
  const State before = drawnState(size, 2);
  for (const StepForm form : stepForms) {
    DeviceVector<float> weights(device(), before.weights);
    DeviceVector<float> slope(device(), placed(gradients, &SegmentShift::gradients));
    DeviceVector<float> velocity(device(), placed(before.velocity, &SegmentShift::velocity));
    DeviceVector<float> second(device(), placed(before.secondMoment, &SegmentShift::velocity));
    kernels().step(queue(), *plan,
                   {.form = form,
                    .weights = weights.data(),
                    .gradients = slope.data(),
                    .velocity = velocity.data(),
                    .numbers = numbers,
                    .shifts = shifts,
                    .secondMoment = second.data()});
    const State expected = expectedOf(form, before, gradients, parts);
    expectSameBits(weights.read(), expected.weights, "weights");
    expectSameBits(velocity.read(), placed(expected.velocity, &SegmentShift::velocity), "velocity");
    expectSameBits(second.read(), placed(expected.secondMoment, &SegmentShift::velocity), "second moment");
  }
}

TEST_P(OptimizerOn, ThePlainFormNeedsNoVelocity) {
  const std::vector<TensorSegment> parts{{0, 5, 1}};
  DeviceVector<float> weights(device(), {1, 2, 3, 4, 5});
  DeviceVector<float> gradients(device(), {4, 4, 4, 4, 4});
  kernels().step(queue(), *kernels().plan(queue(), parts),
                 {StepForm::plain, weights.data(), gradients.data(), nullptr, numbers});
  const float moved = 0.7F;
  EXPECT_EQ(weights.read(), (std::vector<float>{1 - moved, 2 - moved, 3 - moved, 4 - moved, 5 - moved}));
}

TEST_P(OptimizerOn, TakesTheMeanOutOfRows) {
  // Rows of 147 (the first convolution of a ResNet), of one element, of four, and longer than a chunk.
  const std::vector<TensorSegment> parts{
      {3, 64 * 147, 0, 147}, {9411, 17, 1, 1}, {9428, 400, 0, 4}, {9828, 40'002, 1, 20'001}};
  const std::size_t size = 49'900;
  const auto gradients = randomValues(size, 4, 0.5, 1.5);
  const State before{randomValues(size, 5), randomValues(size, 6)};
  const auto plan = kernels().plan(queue(), parts);
  for (const StepForm form : linearForms) {
    DeviceVector<float> weights(device(), before.weights);
    DeviceVector<float> slope(device(), gradients);
    DeviceVector<float> velocity(device(), before.velocity);
    kernels().step(queue(), *plan, {form, weights.data(), slope.data(), velocity.data(), numbers});
    const State expected = expectedOf(form, before, gradients, parts);
    const auto found = weights.read();
    for (std::size_t i = 0; i < size; ++i) ASSERT_NEAR(found[i], expected.weights[i], 3e-7) << i;
    expectSameBits(slope.read(), gradients, "gradients");
  }
}

/// What cancels takes none of the mean's digits with it: in floats it would be off by thousands of units.
TEST_P(OptimizerOn, TakesTheMeanOfWhatCancels) {
  for (const std::size_t row : {147UL, 4097UL}) {
    auto gradients = randomValues(row, 11, 0.5, 1.5);
    for (std::size_t i = 0; i + 1 < row / 2; i += 2) {
      gradients[i] = 1e6F + static_cast<float>(i);
      gradients[row - 2 - i] = -gradients[i];
    }
    const std::vector<TensorSegment> parts{{0, row, 0, row}};
    const std::array<StepNumbers, 1> whole{StepNumbers{1, 1, 0, 0, 1}};
    DeviceVector<float> weights(device(), std::vector<float>(row));
    DeviceVector<float> slope(device(), gradients);
    kernels().step(queue(), *kernels().plan(queue(), parts),
                   {StepForm::plain, weights.data(), slope.data(), nullptr, whole});
    const double sum = std::accumulate(gradients.begin(), gradients.end(), 0.0);
    const auto mean = static_cast<float>(sum / static_cast<double>(row));
    const float promised = (onNpu() ? 3 : 2) * (std::nextafter(mean, 2.0F) - mean);
    const auto found = weights.read();
    // Elements that are no large ones, of which the mean is a part that can be seen.
    for (std::size_t i = 1; i < row; i += 2) {
      if (std::abs(gradients[i]) > 2) continue;
      ASSERT_NEAR(-found[i], gradients[i] - mean, promised) << i << " of " << row;
    }
  }
}

TEST_P(OptimizerOn, WritesTheWeightsASecondTimeInHalfTheBits) {
  const auto parts = unevenParts();
  const auto plan = kernels().plan(queue(), parts);
  const auto gradients = awkwardValues(unevenSize, 7);
  const State before{awkwardValues(unevenSize, 8), randomValues(unevenSize, 9)};
  const State expected = expectedOf(StepForm::momentum, before, gradients, parts);
  for (const WeightCopy type : {WeightCopy::float16, WeightCopy::bfloat16}) {
    for (const std::size_t offset : {0U, 1U}) {
      DeviceVector<float> weights(device(), before.weights, offset);
      DeviceVector<float> slope(device(), gradients, offset);
      DeviceVector<float> velocity(device(), before.velocity, offset);
      DeviceVector<std::uint16_t> copy(device(), std::vector<std::uint16_t>(unevenSize, 4321), offset);
      kernels().step(queue(), *plan,
                     {StepForm::momentum, weights.data(), slope.data(), velocity.data(), numbers, type, copy.data()});
      expectSameBits(weights.read(), expected.weights, "weights");
      const auto found = copy.read();
      std::vector<bool> stepped(unevenSize);
      for (const TensorSegment& part : parts) {
        for (std::size_t i = part.start; i < part.start + part.elements; ++i) {
          stepped[i] = true;
          const float weight = expected.weights[i];
          const float value = type == WeightCopy::bfloat16 ? toFloat(Bfloat16{found[i]})
                                                           : static_cast<float>(std::bit_cast<_Float16>(found[i]));
          const float nearest = type == WeightCopy::bfloat16 ? toFloat(fromFloat<Bfloat16>(weight))
                                                             : static_cast<float>(static_cast<_Float16>(weight));
          if (std::isnan(weight)) {
            ASSERT_TRUE(std::isnan(value)) << i;
          } else {
            ASSERT_EQ(value, nearest) << i << " of " << weight;
          }
        }
      }
      for (std::size_t i = 0; i < unevenSize; ++i) {
        if (stepped[i]) continue;
        ASSERT_EQ(found[i], 4321) << i;
      }
    }
  }
}

/// By hand: Adam's first step is the rate, whatever the gradient; Lion's is the rate, whatever is behind it.
TEST_P(OptimizerOn, FirstStepsOfAdamAndLionAreTheRate) {
  const std::vector<TensorSegment> parts{{0, 3, 0}};
  const auto plan = kernels().plan(queue(), parts);
  constexpr std::array<StepNumbers, 1> adam{StepNumbers{.rate = 0.5F / 0.125F,  // 1 - beta1
                                                        .inverseScale = 1,
                                                        .decay = 0,
                                                        .momentum = 0.875F,
                                                        .keepGradient = 0.125F,
                                                        .momentum2 = 0.9375F,
                                                        .keepGradient2 = 0.0625F,
                                                        .correction2 = 4,  // 1 / sqrt(1 - beta2)
                                                        .epsilon = 0x1p-120F}};
  DeviceVector<float> weights(device(), {1, 2, 3});
  DeviceVector<float> gradients(device(), {4, -2, 0});
  DeviceVector<float> first(device(), {0, 0, 0});
  DeviceVector<float> second(device(), {0, 0, 0});
  FlatStep step{StepForm::adam, weights.data(), gradients.data(), first.data(), adam};
  step.secondMoment = second.data();
  kernels().step(queue(), *plan, step);
  EXPECT_EQ(weights.read(), (std::vector<float>{0.5F, 2.5F, 3}));
  EXPECT_EQ(first.read(), (std::vector<float>{0.5F, -0.25F, 0}));
  EXPECT_EQ(second.read(), (std::vector<float>{1, 0.25F, 0}));
  constexpr std::array<StepNumbers, 1> lion{StepNumbers{.rate = 0.5F,
                                                        .inverseScale = 1,
                                                        .decay = 0,
                                                        .momentum = 0.875F,
                                                        .keepGradient = 0.125F,
                                                        .shrink = 0.5F,
                                                        .momentum2 = 0.75F,
                                                        .keepGradient2 = 0.25F}};
  DeviceVector<float> moved(device(), {1, 2, 3});
  DeviceVector<float> velocity(device(), {0, 0, 0});
  kernels().step(queue(), *plan, {StepForm::sign, moved.data(), gradients.data(), velocity.data(), lion});
  EXPECT_EQ(moved.read(), (std::vector<float>{0, 1.5F, 1.5F}));
  EXPECT_EQ(velocity.read(), (std::vector<float>{1, -0.5F, 0}));
}

TEST_P(OptimizerOn, APlanWithoutPartsStepsNothing) {
  DeviceVector<float> weights(device(), {1, 2});
  kernels().step(queue(), *kernels().plan(queue(), {}),
                 {StepForm::plain, weights.data(), weights.data(), nullptr, numbers});
  EXPECT_EQ(weights.read(), (std::vector<float>{1, 2}));
}

}  // namespace
}  // namespace slipstream
