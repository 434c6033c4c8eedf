// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/series.h"

#include <cmath>
#include <limits>
#include <optional>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/base/random.h"
#include "engine/boost/metrics.h"

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

/// One sample after the other, as M4 is defined.
std::vector<Line> decimateOneByOne(const Line& samples, const VisibleRange& range, bool logarithmic) {
  std::vector<Line> lines(1);
  std::optional<std::int64_t> column;
  std::vector<std::size_t> kept;
  const auto close = [&] {
    for (std::size_t i = 0; i < kept.size(); ++i) {
      if (i > 0 && kept[i] == kept[i - 1]) continue;
      lines.back().x.push_back(samples.x[kept[i]]);
      lines.back().y.push_back(samples.y[kept[i]]);
    }
    kept.clear();
    column.reset();
  };
  for (std::size_t i = 0; i < samples.x.size(); ++i) {
    const bool after = i + 1 < samples.x.size() && samples.x[i + 1] < range.first;
    const bool before = i > 0 && samples.x[i - 1] > range.last;
    if (after || before) continue;
    if (!std::isfinite(samples.y[i]) || (logarithmic && samples.y[i] <= 0)) {
      close();
      if (!lines.back().x.empty()) lines.emplace_back();
      continue;
    }
    const double share = (samples.x[i] - range.first) / (range.last - range.first);
    const auto place =
        share < 0 ? -1 : std::min<std::int64_t>(static_cast<std::int64_t>(share * range.columns), range.columns);
    if (column != place) {
      close();
      column = place;
      kept = {i, i, i, i};
      continue;
    }
    const std::size_t low = samples.y[kept[1]] < samples.y[kept[2]] ? kept[1] : kept[2];
    const std::size_t high = low == kept[1] ? kept[2] : kept[1];
    const std::size_t lowest = samples.y[i] < samples.y[low] ? i : low;
    const std::size_t highest = samples.y[i] > samples.y[high] ? i : high;
    kept = {kept[0], std::min(lowest, highest), std::max(lowest, highest), i};
  }
  close();
  if (lines.back().x.empty()) lines.pop_back();
  return lines;
}

/// Samples that no rounding moves to another column, some of them twice, some of them no numbers.
TEST(Decimate, KeepsWhatOneSampleAfterTheOtherWould) {
  Random random(7, RandomStream::test);
  for (int round = 0; round < 200; ++round) {
    Line samples;
    double x = 0;
    for (std::size_t i = 0; i < 400; ++i) {
      samples.x.push_back(x + 0.5);
      const auto kind = random.below(round % 2 == 0 ? 400 : 12);
      const double value = random.uniform(-1, 3);
      samples.y.push_back(kind == 0 ? std::nan("") : kind == 1 ? std::numeric_limits<double>::infinity() : value);
      x += static_cast<double>(random.below(3));
    }
    const double first = static_cast<double>(random.below(100));
    const VisibleRange range{first, first + 256, 1 << random.below(7)};
    for (const bool logarithmic : {false, true}) {
      const auto found = decimate(samples, range, logarithmic);
      const auto expected = decimateOneByOne(samples, range, logarithmic);
      ASSERT_EQ(found.size(), expected.size()) << round;
      for (std::size_t line = 0; line < found.size(); ++line) {
        ASSERT_EQ(found[line].x, expected[line].x) << round;
        ASSERT_EQ(found[line].y, expected[line].y) << round;
      }
    }
  }
}

TEST(Decimate, OneSampleIsALineOfItsOwnAndAPlaceOfManySamplesAColumn) {
  const auto one = decimate(Line{{3}, {1}}, {3, 3, 100});
  ASSERT_EQ(one.size(), 1U);
  EXPECT_THAT(one[0].x, ElementsAre(3));
  const auto many = decimate(Line{{3, 3, 3, 3, 3, 3}, {1, 5, 2, 0, 2, 3}}, {3, 3, 100});
  ASSERT_EQ(many.size(), 1U);
  EXPECT_THAT(many[0].y, ElementsAre(1, 5, 0, 3));
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
