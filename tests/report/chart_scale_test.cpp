// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/document/chart_scale.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace slipstream {
namespace {

using ::testing::DoubleEq;
using ::testing::DoubleNear;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::Ge;
using ::testing::IsEmpty;
using ::testing::Le;

TEST(AxisScale, PlacesReadBack) {
  for (const bool logarithmic : {false, true}) {
    const AxisScale scale{0.5, 80, logarithmic};
    EXPECT_NEAR(scale.share(0.5), 0, 1e-12);
    EXPECT_NEAR(scale.share(80), 1, 1e-12);
    for (const double value : {0.5, 1.0, 7.0, 80.0}) EXPECT_NEAR(scale.valueAt(scale.share(value)), value, 1e-9);
  }
}

TEST(ChartTicks, StandAtRoundNumbersWithin) {
  EXPECT_THAT(ticksWithin({0, 10}, 6), ElementsAre(0, 2, 4, 6, 8, 10));
  EXPECT_THAT(ticksWithin({0.3, 2.2}, 5), ElementsAre(0.5, 1, 1.5, 2));
  EXPECT_THAT(ticksWithin({3, 5}, 9, true), ElementsAre(3, 4, 5));
  EXPECT_THAT(ticksWithin({0.04, 2.5, true}, 9),
              ElementsAre(DoubleNear(0.05, 1e-12), DoubleNear(0.1, 1e-12), DoubleNear(0.2, 1e-12), 0.5, 1, 2));
  EXPECT_THAT(ticksWithin({1e-6, 1e6, true}, 7),
              ElementsAre(DoubleNear(1e-6, 1e-12), DoubleNear(1e-4, 1e-12), DoubleNear(1e-2, 1e-12), 1, 100, 1e4, 1e6));
}

TEST(ChartTicks, ALowLogarithmicAxisHasDecades) {
  EXPECT_THAT(ticksWithin({0.05, 12, true}, 2), ElementsAre(DoubleNear(0.1, 1e-12), 10));
  EXPECT_THAT(ticksWithin({0.05, 12, true}, 3), ElementsAre(DoubleNear(0.1, 1e-12), 1, 10));
}

TEST(ChartTicks, AShortLogarithmicAxisHasEvenOnes) {
  EXPECT_THAT(ticksWithin({1.1, 1.9, true}, 5),
              ElementsAre(DoubleNear(1.2, 1e-9), DoubleNear(1.4, 1e-9), DoubleNear(1.6, 1e-9), DoubleNear(1.8, 1e-9)));
}

TEST(ChartTicks, OfStepsAreRoundWholeSteps) {
  EXPECT_THAT(ticksWithin({0, 468}, 7, true), ElementsAre(0, 100, 200, 300, 400));
  EXPECT_THAT(ticksWithin({0, 70}, 9, true), ElementsAre(0, 10, 20, 30, 40, 50, 60, 70));
  EXPECT_THAT(ticksWithin({0, 2}, 7, true), ElementsAre(0, 1, 2));
  EXPECT_THAT(ticksWithin({0, 7}, 2, true), ElementsAre(0, 5)) << "never one alone";
}

TEST(ChartTicks, OfTimesStandAtRoundTimes) {
  EXPECT_THAT(timeTicks(3, 130, 6, 0), ElementsAre(30, 60, 90, 120));
  EXPECT_THAT(timeTicks(100, 10'000, 4, 0), ElementsAre(3600, 7200));
  // Clocks half an hour ahead show full hours there.
  EXPECT_THAT(timeTicks(0, 7200, 3, 1800), ElementsAre(1800, 5400));
  EXPECT_THAT(timeTicks(0, 1, 3, 0), ElementsAre(0, 0.5, 1));
}

TEST(ChartTicks, HaveTheDecimalsThatTellThemApart) {
  EXPECT_EQ(tickDecimals({0.05, 0.1}), 2);
  EXPECT_EQ(tickDecimals({0, 0.2}), 1);
  EXPECT_EQ(tickDecimals({0, 20}), 0);
  EXPECT_EQ(tickDecimals({0.001, 0.003}), 3);
}

TEST(ValueAxis, ShowsAllOfTheRange) {
  for (const bool logarithmic : {false, true}) {
    ValueRange range;
    for (const double value : {0.04, 3.1, 0.7}) range.include(value);
    const ValueAxis axis = valueAxis(range, logarithmic, std::nullopt, 6);
    EXPECT_LE(axis.scale.low, 0.04);
    EXPECT_GE(axis.scale.high, 3.1);
    EXPECT_GE(axis.ticks.size(), 2U);
    EXPECT_THAT(axis.ticks, Each(::testing::AllOf(Ge(axis.scale.low), Le(axis.scale.high))));
  }
}

TEST(ValueAxis, StopsAtWhatValuesCannotPass) {
  ValueRange range;
  range.include(91);
  range.include(99.2);
  EXPECT_THAT(valueAxis(range, false, 100.0, 6).scale.high, DoubleEq(100));
}

TEST(ChartTicks, OfARangeBelowWhatNumbersHoldAreFew) {
  const double next = std::nextafter(10.0, 11.0);
  EXPECT_LE(niceTicks(10, next, false).size(), 12U);
  EXPECT_LE(ticksWithin({1.7e9, 1.7e9 + 1e-6}, 5).size(), 12U);
  ValueRange range;
  range.include(10);
  range.include(next);
  EXPECT_GT(valueAxis(range, false, std::nullopt, 5).scale.high, 10.5);
}

TEST(ValueAxis, OfNothingOrOneValueIsOne) {
  for (const bool logarithmic : {false, true}) {
    ValueRange one;
    one.include(5);
    for (const ValueRange& range : {ValueRange{}, one}) {
      const ValueAxis axis = valueAxis(range, logarithmic, std::nullopt, 5);
      EXPECT_LT(axis.scale.low, axis.scale.high);
      EXPECT_THAT(axis.ticks, ::testing::Not(IsEmpty()));
    }
  }
}

TEST(RobustRange, LeavesOutFewValuesThatLieFarAway) {
  std::vector<double> times;
  for (int i = 0; i < 200; ++i) times.push_back(40 + i % 5);
  const ValueRange calm = robustRange(times, false);
  EXPECT_EQ(calm.low, 40);
  EXPECT_EQ(calm.high, 44);
  times.front() = 412;
  EXPECT_EQ(robustRange(times, false).high, 44) << "the first step warms up";
  for (int i = 0; i < 40; ++i) times[static_cast<std::size_t>(i)] = 412;
  EXPECT_EQ(robustRange(times, false).high, 412) << "a fifth of the values is no exception";
}

TEST(RobustRange, KeepsWhatFallsOverPowersOfTen) {
  std::vector<double> losses;
  for (int i = 0; i < 400; ++i) losses.push_back(2.3 * std::exp(-0.01 * i));
  EXPECT_EQ(robustRange(losses, true).high, losses.front());
  EXPECT_EQ(robustRange(losses, false).high, losses.front());
  losses.push_back(1e9);
  losses.push_back(std::nan(""));
  losses.push_back(-1);
  EXPECT_EQ(robustRange(losses, true).high, losses.front());
  EXPECT_TRUE(robustRange({}, false).empty());
  EXPECT_EQ(robustRange({1, 500}, false).high, 500) << "two values say nothing of each other";
}

TEST(FixedAxis, HasTheEndsThatWereAskedFor) {
  const ValueAxis axis = fixedAxis(0.3, 2.2, false, 5, false);
  EXPECT_EQ(axis.scale.low, 0.3);
  EXPECT_EQ(axis.scale.high, 2.2);
  EXPECT_THAT(axis.ticks, ElementsAre(0.5, 1, 1.5, 2));
  EXPECT_EQ(fixedAxis(2, 1, false, 5, false).scale.high, 1) << "an axis that cannot be";
}

/// Of less than three decades two powers of ten would be all that is left.
TEST(LogarithmicTicks, OfFewDecadesAreEveryOtherOne) {
  EXPECT_EQ(ticksWithin({0.09, 2.4, true}, 4), (std::vector<double>{0.1, 0.5, 2}));
  EXPECT_EQ(ticksWithin({0.09, 2.4, true}, 5), (std::vector<double>{0.1, 0.2, 0.5, 1, 2}));
}

}  // namespace
}  // namespace slipstream
