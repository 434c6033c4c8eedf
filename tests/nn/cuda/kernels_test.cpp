// SPDX-License-Identifier: GPL-3.0-or-later
// The kernels' own promises: which elements they cover, what they round, what they sum.
#include <cmath>
#include <limits>

#include <gtest/gtest.h>

#include "engine/base/error.h"
#include "engine/nn/cuda/kernels/channel_sums.h"
#include "engine/nn/cuda/kernels/pools.h"
#include "engine/nn/cuda/kernels/rows.h"
#include "engine/nn/cuda/kernels/shared_norm.h"
#include "engine/nn/cuda/layers/image_input.h"
#include "engine/nn/cuda/layers/loss.h"
#include "tests/nn/cuda/host_ops.h"
#include "tests/nn/support/device_bench.h"
#include "tests/nn/host.h"
#include "tests/nn/support/network_fixture.h"

namespace slipstream::test {
namespace {

TEST(Float16, EveryOneComesBackAsItIs) {
  for (std::uint32_t bits = 0; bits < 0x10000U; ++bits) {
    const Float16 value{static_cast<std::uint16_t>(bits)};
    const float wide = toFloat(value);
    if (std::isnan(wide)) {
      EXPECT_TRUE(std::isnan(toFloat(fromFloat<Float16>(wide))));
    } else {
      ASSERT_EQ(fromFloat<Float16>(wide).bits, bits);
    }
  }
}

TEST(Float16, HandCases) {
  EXPECT_EQ(toFloat(Float16{0x3C00}), 1.0F);
  EXPECT_EQ(toFloat(Float16{0xC000}), -2.0F);
  EXPECT_EQ(toFloat(Float16{0x0001}), 0x1p-24F);
  EXPECT_EQ(toFloat(Float16{0x7BFF}), 65504.0F);
  EXPECT_EQ(fromFloat<Float16>(65519.9F).bits, 0x7BFF);
  EXPECT_EQ(fromFloat<Float16>(65520.0F).bits, 0x7C00) << "half way to the next goes to infinity";
  EXPECT_EQ(fromFloat<Float16>(-std::numeric_limits<float>::infinity()).bits, 0xFC00);
  EXPECT_EQ(fromFloat<Float16>(0x1p-25F).bits, 0) << "half way between 0 and the smallest: even";
  EXPECT_EQ(fromFloat<Float16>(0x1.8p-24F).bits, 2) << "half way between 1 and 2 smallest: even";
}

/// Between two neighbours the nearer one is taken, half way the even one.
TEST(Float16, RoundsToTheNearest) {
  for (std::uint32_t bits = 0; bits < 0x7BFFU; ++bits) {
    const float low = toFloat(Float16{static_cast<std::uint16_t>(bits)});
    const float high = toFloat(Float16{static_cast<std::uint16_t>(bits + 1)});
    const float middle = low + (high - low) / 2;
    ASSERT_EQ(fromFloat<Float16>(std::nextafter(middle, low)).bits, bits);
    ASSERT_EQ(fromFloat<Float16>(middle).bits, bits % 2 == 0 ? bits : bits + 1);
    ASSERT_EQ(fromFloat<Float16>(std::nextafter(middle, high)).bits, bits + 1);
  }
}

class SumPlans : public testing::TestWithParam<std::int64_t> {};

TEST_P(SumPlans, CoverEveryRowOnceAndEndWithOnePart) {
  for (const std::int64_t threads : {1, 16, 512, 2048}) {
    const SumPlan plan = planSums(GetParam(), threads);
    EXPECT_GE(plan.parts[0] * plan.rowsPerPart, GetParam());
    EXPECT_LT((plan.parts[0] - 1) * plan.rowsPerPart, GetParam());
    EXPECT_EQ(plan.parts.back(), 1);
    for (std::size_t level = 1; level < plan.parts.size(); ++level) {
      EXPECT_GE(plan.parts[level] * SumPlan::fanIn, plan.parts[level - 1]);
      EXPECT_LT((plan.parts[level] - 1) * SumPlan::fanIn, plan.parts[level - 1]);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Rows, SumPlans, testing::Values(1, 63, 64, 65, 2048, 2049, 12'544, 3'211'264));

/// Whole numbers, so that every order of adding gives the same.
TEST(ChannelSums, AreTheSumsOfTheColumns) {
  for (const std::int64_t rows : {1, 64, 65, 5000}) {
    for (const std::int64_t columns : {1, 3, 4, 12}) {
      std::vector<float> values;
      std::vector<float> expected(static_cast<std::size_t>(columns), 5.0F);
      for (std::int64_t i = 0; i < rows * columns; ++i) {
        values.push_back(static_cast<float>(i % 17 - 8));
        expected[static_cast<std::size_t>(i % columns)] += values.back();
      }
      std::vector<float> sums(expected.size(), 5.0F);
      std::vector<double> memory(channelSumBytes(rows, columns) / sizeof(double), -1e9);
      columnSums(HostOps(), values.data(), rows, sums, true, memory.data());
      EXPECT_EQ(sums, expected) << rows << " rows of " << columns;
    }
  }
}

/// `readers` and `window` say the same from both sides.
TEST(PoolLine, KnowsWhoReadsEachPosition) {
  for (const std::int32_t kernel : {1, 2, 3, 5}) {
    for (const std::int32_t stride : {1, 2, 3}) {
      for (std::int32_t padding = 0; padding < kernel; ++padding) {
        for (std::int32_t inputs = kernel; inputs < 12; ++inputs) {
          const std::int32_t outputs = (inputs + 2 * padding - kernel) / stride + 1;
          const PoolLine line{kernel, stride, padding, inputs, outputs};
          for (std::int32_t input = 0; input < inputs; ++input) {
            const PoolExtent readers = line.readers(input);
            for (std::int32_t output = 0; output < outputs; ++output) {
              const PoolExtent window = line.window(output);
              ASSERT_EQ(output >= readers.begin && output < readers.end, input >= window.begin && input < window.end)
                  << kernel << " " << stride << " " << padding << " " << inputs << ": " << input << " " << output;
            }
          }
        }
      }
    }
  }
}

struct Twice {
  float operator()(float value) const { return 2 * value; }
};

TEST(MapElements, HandlesWhatFillsNoPackAndAddressesThatAreNotAligned) {
  for (const std::size_t offset : {0U, 1U, 3U}) {
    for (const std::int64_t count : {0, 1, 3, 4, 5, 131}) {
      const auto values = drawn(count + 8, 4);
      std::vector<Bfloat16> result(static_cast<std::size_t>(count) + 8, Bfloat16{7});
      mapElements(HostOps(), count, Twice(), values.data() + offset, result.data() + offset);
      for (std::size_t i = 0; i < result.size(); ++i) {
        const bool inside = i >= offset && i < offset + static_cast<std::size_t>(count);
        ASSERT_EQ(result[i].bits, inside ? fromFloat<Bfloat16>(2 * values[i]).bits : 7);
      }
    }
  }
}

TEST(NormStatistics, AVarianceBelowZeroIsNone) {
  const float one = 1;
  double center = 0;
  double inverse = 0;
  float mean = 0;
  float scale = 0;
  float beta = 0;
  float runningMean = 0;
  float runningVariance = 0;
  const FinishStatistics finish{
      &one, &one, {&center, &inverse, &mean, &scale, &beta}, {&runningMean, &runningVariance}, {0.25, 0, 8}};
  finish.finish(0, 3, -0.5);
  EXPECT_EQ(inverse, 2);
  EXPECT_EQ(runningVariance, 0);
}

TEST(NormStatistics, WhatAHalfFloatCannotHoldIsTheNearestThatItCan) {
  EXPECT_EQ(toFloat(nearestFinite<Float16>(1e6)), 65504.0F);
  EXPECT_EQ(toFloat(nearestFinite<Float16>(-1e6)), -65504.0F);
  EXPECT_TRUE(std::isnan(toFloat(nearestFinite<Float16>(std::nan("")))));
}

TEST(Rows, ProductsAndMeansAreTakenInDouble) {
  const float near = 1 + 0x1p-13F;
  double part = 0;
  DotParts{&near, &near, 1, &part}(0);
  EXPECT_EQ(part, static_cast<double>(near) * static_cast<double>(near));
  const std::vector<float> column{0x1p24F, 1, 1};
  float mean = 0;
  GlobalMean<float>{column.data(), &mean, 1, 3}(0);
  EXPECT_EQ(mean, static_cast<float>((0x1p24 + 2) / 3));
}

/// Its length was not used, so that nothing along it falls away.
TEST(Rows, TheGradientOfAShortRowGoesThroughWhole) {
  const float gradient = 1;
  const float unit = 0.5F;
  const double square = smallestSquaredLength / 2;
  const double along = 3;
  float result = 0;
  ThroughLength{&gradient, &unit, &square, &along, &gradient, 1, &result, false}(0);
  EXPECT_EQ(result, static_cast<float>(inverseLength(square)));
}

TEST(ImageInput, TakesMeanAndDeviationOfEachChannel) {
  Host host;
  ImageInputOn<HostOps> input(*host.device, HostOps(),
                              {{10.0 / 255, 100.0 / 255, 1.0 / 255}, {2.0 / 255, 0.5 / 255, 1.0 / 255}});
  const std::vector<std::uint8_t> pictures{0, 100, 200, 255, 128, 1};
  std::vector<Float16> result(6);
  const Activation there(NumberType::float16, reinterpret_cast<std::byte*>(result.data()), result.size());
  input.normalize(pictures, there);
  const std::vector<float> expected{-5, 0, 199, 122.5F, 56, 0};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_EQ(toFloat(result[i]), expected[i]) << i;
  EXPECT_THROW(input.normalize(std::span(pictures).first(3), there), Error);
}

TEST(ImageInput, WantsOneDeviationAMean) {
  Host host;
  const ImageNormalization uneven{{1, 1, 1}, {1, 1}};
  EXPECT_THROW(ImageInputOn<HostOps>(*host.device, HostOps(), uneven), Error);
  EXPECT_THROW(ImageInputOn<HostOps>(*host.device, HostOps(), {}), Error);
}

class Losses : public testing::TestWithParam<std::tuple<std::int64_t, double>> {
 protected:
  std::int64_t classes() const { return std::get<0>(GetParam()); }
  LossSpec spec() const {
    const double smooth = std::get<1>(GetParam());
    LossSpec spec;
    spec.kind = smooth > 0 ? LossKind::crossEntropySmooth : spec.kind;
    spec.smoothFactor = smooth;
    return spec;
  }
};

TEST_P(Losses, AreTheCpus) {
  Host host;
  for (const std::int64_t samples : {1, 7, 33, 1056}) {  // summed in one, two and three levels
    for (const bool reversed : {false, true}) {
      LossOn<HostOps> loss(*host.device, HostOps(reversed));
      auto logits = drawn(samples * classes(), 5);
      logits[0] = 30.0F;
      std::vector<std::int32_t> labels;
      for (std::int64_t i = 0; i < samples; ++i) labels.push_back(static_cast<std::int32_t>(i * i % classes()));
      std::vector<float> gradient(logits.size());
      std::vector<float> expectedGradient(logits.size());
      const auto expected = crossEntropy(spec(), logits, labels, classes(), expectedGradient, 3.0);
      const auto actual = lossOf(loss, spec(), logits, labels, classes(), gradient, 3.0);
      EXPECT_NEAR(actual.loss, expected.loss, 1e-12 * std::abs(expected.loss) + 1e-15) << samples;
      EXPECT_EQ(actual.correct, expected.correct) << samples;
      for (std::size_t i = 0; i < gradient.size(); ++i) ASSERT_NEAR(gradient[i], expectedGradient[i], 1e-7) << i;
    }
  }
}

TEST_P(Losses, ANanOrInfiniteLogitIsTreatedAsOnTheCpu) {
  Host host;
  LossOn<HostOps> loss(*host.device, HostOps());
  constexpr float infinity = std::numeric_limits<float>::infinity();
  for (const float odd : {std::nanf(""), infinity, -infinity}) {
    auto logits = drawn(2 * classes(), 5);
    logits.back() = odd;
    const std::vector<std::int32_t> labels{0, 0};
    const auto expected = crossEntropy(spec(), logits, labels, classes(), {}, 1.0);
    const auto actual = lossOf(loss, spec(), logits, labels, classes(), {}, 1.0);
    EXPECT_EQ(std::isnan(actual.loss), std::isnan(expected.loss)) << odd;
    EXPECT_EQ(std::isinf(actual.loss), std::isinf(expected.loss)) << odd;
    EXPECT_EQ(actual.correct, expected.correct) << odd;
  }
}

INSTANTIATE_TEST_SUITE_P(ClassesAndSmoothing, Losses,
                         testing::Combine(testing::Values(1, 2, 10, 32, 33, 1001), testing::Values(0.0, 0.1)));

/// Of lanes, the one that saw it first is not the one whose number is lowest.
TEST(LossOnADevice, TakesTheFirstOfEqualLogitsForItsGuess) {
  Host host;
  LossOn<HostOps> loss(*host.device, HostOps());
  std::vector<float> logits(40);
  logits[2] = logits[33] = 1;
  for (const std::int32_t label : {2, 33}) {
    const std::vector<std::int32_t> labels{label};
    EXPECT_EQ(lossOf(loss, {}, logits, labels, 40, {}, 1.0).correct, label == 2 ? 1 : 0);
  }
}

TEST(LossOnADevice, IsCrossEntropyOnTheCpu) {
  Host host;
  const auto logits = drawn(6, 5);
  const std::vector<std::int32_t> labels{2, 0};
  std::vector<float> gradient(6);
  std::vector<float> expectedGradient(6);
  const auto expected = crossEntropy({}, logits, labels, 3, expectedGradient, 2.0);
  const auto actual = lossOf(*makeDeviceLoss(*host.device), {}, logits, labels, 3, gradient, 2.0);
  EXPECT_EQ(actual.loss, expected.loss);
  EXPECT_EQ(actual.correct, expected.correct);
  EXPECT_EQ(gradient, expectedGradient);
}

TEST(LossOnADevice, RefusesWhatDoesNotFit) {
  Host host;
  LossOn<HostOps> loss(*host.device, HostOps());
  const std::vector<float> logits(6);
  std::vector<float> shorter(5);
  EXPECT_THROW(lossOf(loss, {}, logits, std::vector<std::int32_t>{0}, 3, {}, 1.0), Error);
  EXPECT_THROW(lossOf(loss, {}, logits, std::vector<std::int32_t>{0, 3}, 3, {}, 1.0), Error);
  EXPECT_THROW(lossOf(loss, {}, logits, std::vector<std::int32_t>{0, 1}, 3, shorter, 1.0), Error);
}

TEST(AlignmentOf, IsThePowerOfTwoThatDividesTheAddress) {
  alignas(1024) static const char memory[1024] = {};
  EXPECT_EQ(alignmentOf(memory), 256U);
  EXPECT_EQ(alignmentOf(memory + 4), 4U);
  EXPECT_EQ(alignmentOf(memory + 96), 32U);
}

}  // namespace
}  // namespace slipstream::test
