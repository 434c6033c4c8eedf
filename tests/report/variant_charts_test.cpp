// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/variant_charts.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/support/finished_runs.h"
#include "tests/support/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;

class VariantCharts : public ::testing::Test {
 protected:
  Comparison compare() { return compareRuns(*store, store->runs()).value(); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
};

TEST_F(VariantCharts, SeedsAreOneCurveWithABand) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.9 + 0.01 * static_cast<double>(seed)});
  }
  const ChartModel chart = metricChart(*store, compare(), "accuracy", ChartX::step, 1000).value();
  EXPECT_EQ(chart.treatment.in(), "%, mean and range of 3 seeds") << "not smoothed";
  EXPECT_TRUE(chart.settled);
  ASSERT_EQ(chart.curves.size(), 1U);
  const ChartCurve& curve = chart.curves.front();
  EXPECT_NEAR(curve.last().value(), 92, 1e-9) << "the mean of 91, 92 and 93";
  EXPECT_NEAR(curve.lowest.front().y.back(), 91, 1e-9);
  EXPECT_NEAR(curve.highest.front().y.back(), 93, 1e-9);
  EXPECT_NEAR(chart.bounds.at(0).value, 90, 1e-9);
}

/// As comparisons count them: a table beside the chart has the same mean.
TEST_F(VariantCharts, RunsOfOneSeedCountOnce) {
  for (const int evaluations : {1, 3}) {
    SCOPED_TRACE(evaluations);
    const std::string name = "evaluated " + std::to_string(evaluations);
    std::vector<RunRecord> runs;
    for (const std::uint64_t seed : {1U, 1U, 1U, 2U}) {
      const double accuracy = seed == 1 ? 0.90 : 0.94;
      runs.push_back(store
                         ->find(test::recordRun(
                             *store, {.variant = name, .seed = seed, .accuracy = accuracy, .evaluations = evaluations}))
                         .value());
    }
    const ChartModel chart =
        metricChart(*store, compareRuns(*store, runs).value(), "accuracy", ChartX::step, 1000).value();
    EXPECT_THAT(chart.treatment.in(), ::testing::HasSubstr("of 2 seeds"));
    EXPECT_NEAR(chart.curves.at(0).last().value(), 92, 1e-9) << "and not 91";
  }
}

/// A curve of one sample would be a dot at the edge of an empty chart.
TEST_F(VariantCharts, WhatWasMeasuredOnceHasAColumnForEachVariant) {
  for (const char* variant : {"mean", "adasum"}) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      const double accuracy = (variant[0] == 'm' ? 0.90 : 0.95) + 0.01 * static_cast<double>(4 - seed);
      test::recordRun(*store, {.variant = variant, .seed = seed, .accuracy = accuracy, .evaluations = 1});
    }
  }
  const ChartModel chart = metricChart(*store, compare(), "accuracy", ChartX::step, 1000).value();
  EXPECT_EQ(chart.x, ChartX::number);
  EXPECT_EQ(chart.treatment.in(), "%, measured once, mean and range of 3 seeds");
  ASSERT_EQ(chart.curves.size(), 2U);
  ASSERT_EQ(chart.xTicks.size(), 2U);
  EXPECT_EQ(chart.xTicks[0].text, "mean");
  EXPECT_EQ(chart.xTicks[1].text, "adasum");
  const ChartCurve& adasum = chart.curves[1];
  EXPECT_THAT(adasum.line.at(0).x, ElementsAre(1.5, 1.5, 1.5));
  EXPECT_NEAR(adasum.line[0].y[0], 96, 1e-9) << "rising";
  EXPECT_NEAR(adasum.line[0].y[2], 98, 1e-9);
  EXPECT_NEAR(adasum.last().value(), 97, 1e-9) << "the mean";
  EXPECT_FALSE(chart.settled) << "the first variant is no beginning of the others";
}

TEST_F(VariantCharts, TheAxisCountsStepsEpochsOrSeconds) {
  test::recordRun(*store, {.variant = "mean", .seed = 1});  // 200 steps of 10 ms, one epoch
  const Comparison comparison = compare();
  const auto last = [&](ChartX axis) { return metricChart(*store, comparison, "accuracy", axis, 1000)->last; };
  EXPECT_NEAR(last(ChartX::step), 200, 1e-9);
  EXPECT_NEAR(last(ChartX::epoch), 1, 1e-9);
  EXPECT_NEAR(last(ChartX::relativeTime), 2, 1e-9);
}

TEST_F(VariantCharts, AMetricThatNobodyHasIsNoChart) {
  test::recordRun(*store, {.variant = "mean", .seed = 1});
  EXPECT_FALSE(metricChart(*store, compare(), "unheard_of", ChartX::step, 1000));
}

TEST_F(VariantCharts, ReachedCurvesRiseAtEachSeedAndCountThoseThatNeverDid) {
  test::recordRun(*store, {.variant = "mean", .seed = 1, .accuracy = 0.99});
  test::recordRun(*store, {.variant = "mean", .seed = 2, .accuracy = 0.5});
  const ChartModel chart = reachedChart(compare(), ChartX::step).value();
  EXPECT_EQ(chart.treatment.in(), "of 2");
  ASSERT_EQ(chart.curves.size(), 1U);
  EXPECT_TRUE(chart.curves[0].censored);
  EXPECT_EQ(chart.curves[0].name().in(), "mean, 1 never");
  // 0.99 (1 - e^(-0.6 i)) / (1 - e^-6) passes 0.9 at the fourth of ten evaluations.
  EXPECT_THAT(chart.curves[0].line[0].x, ElementsAre(0, 80, 80, 200));
  EXPECT_THAT(chart.curves[0].line[0].y, ElementsAre(0, 0, 1, 1));
  EXPECT_NEAR(reachedChart(compare(), ChartX::relativeTime)->curves[0].line[0].x[1], 0.8, 1e-9);
}

/// A seed has reached the target when all of its runs have, as in the table beside the chart.
TEST_F(VariantCharts, ReachedCurvesCountASeedOnceWhateverTheOrderOfItsRuns) {
  for (const double first : {0.99, 0.5}) {
    const std::string variant = "first " + std::to_string(first);
    std::vector<RunRecord> runs;
    const auto record = [&](std::uint64_t seed, double accuracy) {
      const std::string id = test::recordRun(*store, {.variant = variant, .seed = seed, .accuracy = accuracy});
      runs.push_back(store->find(id).value());
    };
    record(1, first);
    record(1, 1.49 - first);
    record(2, 0.99);
    record(2, 0.99);
    const ChartModel chart = reachedChart(compareRuns(*store, runs).value(), ChartX::step).value();
    EXPECT_EQ(chart.treatment.in(), "of 2");
    EXPECT_EQ(chart.curves.at(0).name().in(), variant + ", 1 never");
    EXPECT_THAT(chart.curves[0].line[0].x, ElementsAre(0, 80, 80, 200));
  }
}

TEST_F(VariantCharts, RunsThatDidNotEndAreNotCounted) {
  const std::string id = test::recordRun(*store, {.variant = "mean", .seed = 1});
  store->setState(id, RunState::failed, "rank 1 ran out of memory");
  EXPECT_FALSE(reachedChart(compare(), ChartX::step));
}

}  // namespace
}  // namespace slipstream
