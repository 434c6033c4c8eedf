// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/statistics/bootstrap.h"
#include "engine/statistics/distributions.h"
#include "engine/statistics/paired.h"
#include "engine/statistics/power.h"
#include "engine/statistics/profile.h"
#include "engine/statistics/several.h"
#include "engine/statistics/survival.h"

namespace slipstream {
namespace {

TEST(Paired, ThePValueIsWhereTheIntervalEnds) {
  for (const double error : {0.0, 0.2, 3.0}) {
    const PairedDifferences differences{{0.4, 1.1, 0.7, 1.6, 0.2}, error};
    const double p = pValue(differences, -0.5);
    EXPECT_NEAR(pairedInterval(differences, intervalReach(5, p)).low, -0.5, 1e-9);
    const double same = equivalencePValue(differences, 4);
    const PairedInterval within = pairedInterval(differences, intervalReach(5, 2 * same));
    EXPECT_NEAR(std::max(within.high, -within.low), 4, 1e-9);
  }
}

TEST(Paired, WhatDoesNotVaryIsCertainOnlyWithoutATestSet) {
  const PairedDifferences equal{{1, 1, 1}, 0};
  EXPECT_EQ(pValue(equal), 0);
  EXPECT_EQ(pValue(equal, 1), 1);
  EXPECT_FALSE(equal.canBeJudged());
  EXPECT_NEAR(pValue({{1, 1, 1}, 1}), 0.317310507863, 1e-9);
}

TEST(Paired, AClaimOfEquivalenceTakesTheMeanInsideTheMargin) {
  EXPECT_GT(equivalencePValue({{3, 3.1, 2.9}, 0}, 1), 0.99);
  EXPECT_LT(equivalencePValue({{0.01, -0.02, 0.02}, 0}, 1), 0.001);
}

TEST(Paired, TheNumberNeededIsTheFirstThatIsEnough) {
  const int needed = differencesNeeded(1, 1, 0, 0.05).value();
  EXPECT_EQ(needed, 10);  // as statsmodels' TTestPower: 9.94 for two-sided 5 %, 80 %
  EXPECT_EQ(differencesNeeded(100, 1, 0, 0.05), fewestReplicas);
  // The test set leaves more open than is asked about.
  EXPECT_EQ(differencesNeeded(1, 1, 2, 0.05), std::nullopt);
}

TEST(Power, IsThatOfTheDifferenceThatIsDetectable) {
  for (const int count : {3, 5, 10, 40}) {
    const double detectable = detectableDifference(2, 0, 0.01, count);
    EXPECT_NEAR(detectionProbability(detectable, 2, 0, 0.01, count), detectionPower, 1e-6) << count;
    EXPECT_NEAR(detectionProbability(-detectable, 2, 0, 0.01, count), detectionPower, 1e-6) << "either side";
  }
}

TEST(Power, IsThatOfTheTestSetAloneWhereSeedsDoNotDiffer) {
  // z = 1.959964: P(Z > 1.959964 - 3) with an effect of three standard errors.
  EXPECT_NEAR(detectionProbability(3, 0, 1, 0.05, 5), normalBelow(3 - normalQuantile(0.975)), 1e-9);
  EXPECT_EQ(detectionProbability(3, 0, 0, 0.05, 5), 1);
  EXPECT_EQ(detectionProbability(0, 0, 0, 0.05, 5), 0.025);
}

/// Counted over simulated studies, whose intervals are those of pairedInterval.
TEST(Power, IsHowOftenIntervalsShowTheEffect) {
  constexpr int draws = 4000, count = 5;
  constexpr double effect = 1.8, spread = 1, testSetError = 0.4, miss = 0.05;
  Random random(3, RandomStream::test);
  const IntervalReach reach = intervalReach(count, miss);
  int shown = 0;
  for (int draw = 0; draw < draws; ++draw) {
    PairedDifferences differences{{}, testSetError};
    const double shared = testSetError * random.normal();
    for (int i = 0; i < count; ++i) differences.values.push_back(effect + shared + spread * random.normal());
    shown += pairedInterval(differences, reach).low > 0 ? 1 : 0;
  }
  const double power = detectionProbability(effect, spread, testSetError, miss, count);
  EXPECT_NEAR(static_cast<double>(shown) / draws, power, 4 * std::sqrt(power * (1 - power) / draws));
}

/// Worked by hand: three of four were still there after the first event, with Greenwood's error 0.75 * sqrt(1/12).
TEST(SurvivalInterval, IsThatOfTheLogarithmOfTheLogarithm) {
  const auto steps = kaplanMeier({{1, true}, {2, true}, {3, true}, {4, false}});
  EXPECT_NEAR(steps[0].deviation, 0.75 * std::sqrt(1.0 / 12), 1e-12);
  const SurvivalInterval first = survivalInterval(steps[0], 0.05);
  const double middle = std::log(-std::log(0.75)), reach = 1.959963984540054 * std::sqrt(1.0 / 12) / std::log(1 / 0.75);
  EXPECT_NEAR(first.low, std::exp(-std::exp(middle + reach)), 1e-9);
  EXPECT_NEAR(first.high, std::exp(-std::exp(middle - reach)), 1e-9);
  const SurvivalInterval none =
      survivalInterval({.time = 1, .atRisk = 1, .events = 1, .survival = 0, .deviation = 0}, 0.05);
  EXPECT_EQ(none.low, 0);
  EXPECT_EQ(none.high, 0);
}

TEST(Bootstrap, IsSeededAndHoldsTheMean) {
  const std::vector<double> values{0.3, 0.9, 1.4, 0.1, 0.8, 1.9, 0.7, 1.1, 0.4, 1.2};
  const auto interval = bootstrapInterval(values, 0.05, 7);
  ASSERT_TRUE(interval);
  const PairedInterval student = pairedInterval({values, 0}, intervalReach(10, 0.05));
  EXPECT_NEAR(interval->low, student.low, 0.15);
  EXPECT_NEAR(interval->high, student.high, 0.15);
  EXPECT_EQ(bootstrapInterval(values, 0.05, 7)->low, interval->low);
  EXPECT_NE(bootstrapInterval(values, 0.05, 8)->low, interval->low);
  EXPECT_FALSE(bootstrapInterval({1, 2, 3}, 0.05, 7));
  EXPECT_FALSE(bootstrapInterval(std::vector<double>(10, 2.0), 0.05, 7));
}

TEST(Holm, StopsAtTheFirstThatIsNotShown) {
  const std::vector<HolmStep> steps = holm({0.04, 0.01, 0.03}, [](double p, int shares) { return p <= 0.05 / shares; });
  EXPECT_TRUE(steps[1].shown);
  EXPECT_EQ(steps[1].shares, 3);
  EXPECT_FALSE(steps[2].shown);
  EXPECT_FALSE(steps[0].shown);  // 0.04 <= 0.05, but a smaller one was not shown
  EXPECT_EQ(steps[0].shares, 2);
}

TEST(Looks, OneLookSpendsAll) {
  EXPECT_NEAR(levelsOfLooks({1}, 0.05).front(), 0.05, 1e-12);
}

TEST(Survival, TheRestrictedMeanIsTheMeanOfWhatWasWatched) {
  const std::vector<TimeToEvent> times{{3, true}, {5, true}, {8, false}, {8, false}};
  EXPECT_NEAR(restrictedMean(kaplanMeier(times), 8), (3 + 5 + 8 + 8) / 4.0, 1e-12);
  EXPECT_NEAR(restrictedMean(kaplanMeier({{8, false}}), 8), 8, 1e-12);
}

TEST(Profiles, WhatNobodyReachedCountsForNobody) {
  const double never = INFINITY;
  const auto profiles = performanceProfiles({{10, never, never}, {20, 5, never}}, {1, 2});
  EXPECT_NEAR(profiles[0][0], 1.0 / 3, 1e-12);
  EXPECT_NEAR(profiles[1][0], 1.0 / 3, 1e-12);
  EXPECT_NEAR(profiles[1][1], 2.0 / 3, 1e-12);
}

}  // namespace
}  // namespace slipstream
