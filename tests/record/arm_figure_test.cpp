// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/arm_figure.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/record/finished_runs.h"
#include "tests/record/temporary_folder.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;

class ArmFigureTest : public ::testing::Test {
 protected:
  Comparison compare() { return compareRuns(*store, store->runs()).value(); }

  test::TemporaryFolder folder;
  std::unique_ptr<RunStore> store = test::openStore(folder.path());
};

TEST_F(ArmFigureTest, SeedsAreOneCurveWithABand) {
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    test::recordRun(*store, {.variant = "mean", .seed = seed, .accuracy = 0.9 + 0.01 * static_cast<double>(seed)});
  }
  const ArmFigure figure = figureOf(*store, compare(), "accuracy", FigureAxis::step, 1000);
  EXPECT_EQ(figure.seeds, 3U);
  EXPECT_FALSE(figure.smooth);
  ASSERT_EQ(figure.chart.curves.size(), 1U);
  const ChartCurve& curve = figure.chart.curves.front();
  EXPECT_NEAR(curve.last, 92, 1e-9) << "the mean of 91, 92 and 93";
  EXPECT_NEAR(curve.lowest.front().y.back(), 91, 1e-9);
  EXPECT_NEAR(curve.highest.front().y.back(), 93, 1e-9);
  EXPECT_NEAR(figure.chart.target.value(), 90, 1e-9);
}

TEST_F(ArmFigureTest, TheAxisCountsStepsEpochsOrSeconds) {
  test::recordRun(*store, {.variant = "mean", .seed = 1});  // 200 steps of 10 ms, one epoch
  const Comparison comparison = compare();
  EXPECT_NEAR(figureOf(*store, comparison, "accuracy", FigureAxis::step, 1000).chart.lastStep, 200, 1e-9);
  EXPECT_NEAR(figureOf(*store, comparison, "accuracy", FigureAxis::epoch, 1000).chart.lastStep, 1, 1e-9);
  EXPECT_NEAR(figureOf(*store, comparison, "accuracy", FigureAxis::seconds, 1000).chart.lastStep, 2, 1e-9);
}

TEST_F(ArmFigureTest, AMetricThatNobodyHasIsNoFigure) {
  test::recordRun(*store, {.variant = "mean", .seed = 1});
  EXPECT_TRUE(figureOf(*store, compare(), "unheard_of", FigureAxis::step, 1000).empty());
}

TEST_F(ArmFigureTest, ReachedCurvesRiseAtEachSeedAndCountThoseThatNeverDid) {
  test::recordRun(*store, {.variant = "mean", .seed = 1, .accuracy = 0.99});
  test::recordRun(*store, {.variant = "mean", .seed = 2, .accuracy = 0.5});
  const auto curves = reachedCurves(compare(), FigureAxis::step);
  ASSERT_EQ(curves.size(), 1U);
  EXPECT_EQ(curves[0].runs, 2U);
  EXPECT_EQ(curves[0].never, 1U);
  // 0.99 (1 - e^(-0.6 i)) / (1 - e^-6) passes 0.9 at the fourth of ten evaluations.
  EXPECT_THAT(curves[0].steps.x, ElementsAre(0, 80, 80, 200));
  EXPECT_THAT(curves[0].steps.y, ElementsAre(0, 0, 1, 1));
  EXPECT_NEAR(reachedCurves(compare(), FigureAxis::seconds)[0].steps.x[1], 0.8, 1e-9);
}

TEST_F(ArmFigureTest, RunsThatDidNotEndAreNotCounted) {
  const std::string id = test::recordRun(*store, {.variant = "mean", .seed = 1});
  store->setState(id, RunState::failed, "rank 1 ran out of memory");
  EXPECT_TRUE(reachedCurves(compare(), FigureAxis::step).empty());
}

}  // namespace
}  // namespace slipstream
