// SPDX-License-Identifier: GPL-3.0-or-later
// What is written beside an axis is true: a tick stands at the value of its label, and no two labels are alike.
#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "engine/base/text.h"
#include "engine/document/chart_layout.h"

namespace slipstream {
namespace {

ChartLayout layoutOf(const ChartModel& chart, double width = 700) {
  const ChartSpace space{.width = width, .height = 300, .above = 30, .right = 16};
  return layOut(chart, space, helveticaMetrics(11), Language::english);
}

std::vector<AxisTick> ticksFrom(ChartX kind, double first, double last, double width = 700) {
  return layoutOf({.x = kind, .first = first, .last = last}, width).xTicks;
}

TEST(ChartTickTexts, StepsAreRoundAndStandWhereTheySay) {
  for (const double last : {1.0, 7.0, 70.0, 233.0, 234.0, 468.0, 2340.0, 14040.0, 1234567.0}) {
    for (const double width : {200.0, 450.0, 1000.0}) {
      const std::vector<AxisTick> ticks = ticksFrom(ChartX::step, 0, last, width);
      ASSERT_GE(ticks.size(), 2U) << last;
      EXPECT_EQ(ticks.back().value, last) << "the end of the run is a number that one looks for";
      for (const AxisTick& tick : ticks) EXPECT_EQ(tick.text, countText(std::llround(tick.value)));
      if (ticks.size() < 3) continue;
      const double step = ticks[1].value - ticks[0].value;
      const double leading = step / std::pow(10, std::floor(std::log10(step) + 1e-9));
      EXPECT_TRUE(std::abs(leading - 1) < 1e-9 || std::abs(leading - 2) < 1e-9 || std::abs(leading - 5) < 1e-9) << step;
      for (std::size_t i = 2; i + 1 < ticks.size(); ++i) EXPECT_EQ(ticks[i].value - ticks[i - 1].value, step);
    }
  }
}

/// "ave…ks" would be any of several variants.
TEST(ChartTickTexts, NamesAreCutToNoLessThanHalf) {
  ChartModel chart{.x = ChartX::number, .last = 3};
  chart.xTicks = {{0.5, "adasum"}, {1.5, "averaged, rate times ranks"}, {2.5, "averaged at a lower rate"}};
  const auto shown = [&](double width) {
    std::vector<std::string> texts;
    for (const AxisTick& tick : layoutOf(chart, width).xTicks) texts.push_back(tick.text);
    return texts;
  };
  EXPECT_EQ(shown(900), (std::vector<std::string>{"adasum", "averaged, rate times ranks", "averaged at a lower rate"}));
  EXPECT_EQ(shown(300).back(), "averag… rate");
  EXPECT_EQ(shown(250), (std::vector<std::string>{"adasum", "", ""}));
}

TEST(ChartTickTexts, OneStepHasOnePlaceWhateverTheLengthOfTheChart) {
  const std::vector<AxisTick> loss = ticksFrom(ChartX::step, 0, 233), accuracy = ticksFrom(ChartX::step, 0, 234);
  ASSERT_EQ(loss.size(), accuracy.size());
  for (std::size_t i = 0; i + 1 < loss.size(); ++i) EXPECT_EQ(loss[i].text, accuracy[i].text);
}

TEST(ChartTickTexts, TimesAreNeverWrittenTwice) {
  const double start = 1'763'850'413.37;  // an odd fraction of a second, minutes before some hour
  for (const ChartX kind : {ChartX::wallTime, ChartX::relativeTime}) {
    for (const double from : {0.0, 3599.5, 86000.0}) {
      for (const double length : {0.02, 0.7, 1.9, 3.0, 11.0, 59.0, 70.0, 3600.0, 5000.0, 86400.0, 3e5, 5e6}) {
        const double first = from + (kind == ChartX::wallTime ? start : 0);
        std::set<std::string> texts;
        for (const AxisTick& tick : ticksFrom(kind, first, first + length)) {
          EXPECT_TRUE(texts.insert(tick.text).second) << from << " + " << length << ": " << tick.text;
        }
      }
    }
  }
}

TEST(ChartTickTexts, FractionsOfASecondAreWrittenOut) {
  const std::vector<AxisTick> ticks = ticksFrom(ChartX::wallTime, 1'763'850'413, 1'763'850'414.5);
  ASSERT_GE(ticks.size(), 3U);
  EXPECT_NE(ticks[1].text.find('.'), std::string::npos) << ticks[1].text;
}

TEST(ChartTickTexts, ANarrowLogarithmicAxisHasTheSameDecimals) {
  const ChartModel chart{.last = 10, .logarithmic = true, .curves = {{.line = {Line{{0, 10}, {2.288, 2.312}}}}}};
  const std::vector<AxisTick> ticks = layoutOf(chart).yTicks;
  ASSERT_GE(ticks.size(), 2U);
  for (const AxisTick& tick : ticks) EXPECT_EQ(tick.text.size(), ticks.front().text.size()) << tick.text;
}

TEST(ChartTickTexts, GreatNumbersAreGroupedAndNegativeOnesHaveAMinus) {
  const ChartModel chart{.last = 10, .curves = {{.line = {Line{{0, 10}, {-5000, 15000}}}}}};
  std::set<std::string> texts;
  for (const AxisTick& tick : layoutOf(chart).yTicks) texts.insert(tick.text);
  EXPECT_TRUE(texts.contains("−5,000")) << join({texts.begin(), texts.end()}, " ");
  EXPECT_TRUE(texts.contains("15,000")) << join({texts.begin(), texts.end()}, " ");
}

/// Names of stages close to each other have rows of their own where there may be several, and are cut where not.
TEST(ChartNames, HaveRowsOrAreCut) {
  const ChartModel chart{.last = 100, .borders = {{0, "warm-up of all"}, {5, "long name of a stage"}, {60, "end"}}};
  ChartSpace space{.width = 500, .height = 240, .nameRows = 4};
  const ChartLayout rows = layOut(chart, space, helveticaMetrics(11), Language::english);
  ASSERT_EQ(rows.names.size(), 3U);
  EXPECT_EQ(rows.names[1].text, "long name of a stage");
  EXPECT_LT(rows.names[1].at.y, rows.names[0].at.y);
  space.nameRows = 1;
  const ChartLayout one = layOut(chart, space, helveticaMetrics(11), Language::english);
  EXPECT_EQ(one.names[1].at.y, one.names[0].at.y);
  EXPECT_NE(one.names[0].text, "warm-up of all");
  EXPECT_LT(one.plot.top, rows.plot.top);
}

}  // namespace
}  // namespace slipstream
