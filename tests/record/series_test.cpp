#include "engine/record/series.h"

#include <cmath>
#include <limits>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/random.h"

namespace slipstream {
namespace {

using ::testing::ElementsAre;

Series seriesOf(const std::vector<double>& values) {
  Series series;
  for (std::size_t i = 0; i < values.size(); ++i) {
    series.steps.push_back(static_cast<std::int64_t>(i));
    series.wallNanoseconds.push_back(static_cast<std::int64_t>(i));
    series.values.push_back(values[i]);
  }
  return series;
}

TEST(Decimate, KeepsFirstLowestHighestAndLastOfAColumn) {
  const auto lines = decimate(seriesOf({5, 1, 9, 4, 7, 7, 2, 6}), {0, 8, 2});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0].x, ElementsAre(0, 1, 2, 3, 4, 6, 7));
  EXPECT_THAT(lines[0].y, ElementsAre(5, 1, 9, 4, 7, 2, 6));
}

TEST(Decimate, SplitsAtWhatIsNotANumber) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const double infinity = std::numeric_limits<double>::infinity();
  const auto lines = decimate(seriesOf({1, 2, nan, 3, infinity, infinity, 4}), {0, 6, 100});
  ASSERT_EQ(lines.size(), 3U);
  EXPECT_THAT(lines[1].y, ElementsAre(3));
  const auto positive = decimate(seriesOf({1, 0, 2}), {0, 2, 100}, true);
  EXPECT_EQ(positive.size(), 2U);
  EXPECT_TRUE(decimate(Series{}, {0, 10, 100}).empty());
}

TEST(Decimate, KeepsTheNeighboursOfAZoomedWindow) {
  const auto lines = decimate(seriesOf({0, 1, 2, 3, 4, 5, 6, 7, 8, 9}), {4, 6, 100});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_THAT(lines[0].x, ElementsAre(3, 4, 5, 6, 7));
}

TEST(Decimate, KeepsEverySpikeOfALongSeries) {
  Series series;
  std::set<double> spikes;
  for (std::int64_t step = 0; step < 100'000; ++step) {
    series.steps.push_back(step);
    series.wallNanoseconds.push_back(step);
    series.values.push_back(1.0 + 1e-7 * static_cast<double>(step % 7));
  }
  Random random(5, RandomStream::test);
  for (int column = 0; column < 500; ++column) {  // one spike in each of 500 of 1,000 columns
    const auto step = static_cast<std::size_t>(200 * column) + random.below(100);
    series.values[step] = (column % 2 == 0 ? 10.0 : -10.0) + column;
    spikes.insert(series.values[step]);
  }
  const auto lines = decimate(series, {0, 99'999, 1000});
  ASSERT_EQ(lines.size(), 1U);
  EXPECT_LE(lines[0].y.size(), 4 * 1001U);
  for (const double value : lines[0].y) spikes.erase(value);
  EXPECT_TRUE(spikes.empty());
}

TEST(Better, IsKnownOfQualityAndTimeAlone) {
  for (const char* high : {"accuracy", "samples_per_second"}) EXPECT_EQ(betterOf(high), Better::higher) << high;
  for (const char* low : {"loss", "evaluation_loss", "step_seconds"}) EXPECT_EQ(betterOf(low), Better::lower) << low;
  for (const char* none : {"learning_rate", "cosine/fc1.weight", "loss_scale", "dim_reduce/slope"}) {
    EXPECT_EQ(betterOf(none), Better::neither) << none;
  }
}

TEST(Between, HoldsTheFirstStepAndNotTheLast) {
  const Series all = seriesOf({0, 1, 2, 3, 4});
  EXPECT_EQ(between(all, 1, 3).values, (std::vector<double>{1, 2}));
  EXPECT_EQ(between(all, 3, 99).steps, (std::vector<std::int64_t>{3, 4}));
  EXPECT_TRUE(between(all, 5, 9).steps.empty());
  EXPECT_TRUE(between({}, 0, 9).steps.empty());
}

TEST(Smoothed, IsUnbiasedAndPassesNanThrough) {
  const Series flat = smoothed(seriesOf({3, 3, 3}), 0.85);
  for (const double value : flat.values) EXPECT_DOUBLE_EQ(value, 3.0);
  const Series gap = smoothed(seriesOf({2, std::nan(""), 2}), 0.5);
  EXPECT_TRUE(std::isnan(gap.values[1]));
  EXPECT_DOUBLE_EQ(gap.values[2], 2.0);
  EXPECT_DOUBLE_EQ(smoothed(seriesOf({0, 1}), 0.5).values[1], 0.5 / 0.75);
}

TEST(Summarize, BestIgnoresNan) {
  const auto summary = summarize(seriesOf({3, 1, std::nan("")}), false);
  EXPECT_TRUE(std::isnan(summary->last));
  EXPECT_EQ(summary->best, 1.0);
  EXPECT_EQ(summary->bestStep, 1);
  EXPECT_EQ(summarize(seriesOf({3, 1}), true)->best, 3.0);
  EXPECT_FALSE(summarize(Series{}, true));
}

}  // namespace
}  // namespace slipstream
