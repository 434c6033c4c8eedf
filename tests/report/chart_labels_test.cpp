// SPDX-License-Identifier: GPL-3.0-or-later
// A label inside the plot is taken for the line whose end it is beside.
#include <cmath>
#include <random>

#include <gtest/gtest.h>

#include "engine/document/chart_layout.h"

namespace slipstream {
namespace {

ChartLayout layoutOfHeight(const ChartModel& chart, double height) {
  const ChartSpace space{.width = 500, .height = height, .above = 20, .right = 16};
  return layOut(chart, space, helveticaMetrics(11), Language::english);
}

/// Falls from 2.3 to `last`, with noise.
ChartCurve fallingTo(double last, std::mt19937& random, int slot) {
  std::uniform_real_distribution<double> noise(-0.02, 0.02);
  Line line;
  for (int x = 0; x <= 100; ++x) {
    line.x.push_back(x);
    line.y.push_back(last + (2.3 - last) * std::exp(-0.06 * x) + (x < 100 ? noise(random) : 0));
  }
  return {.label = "averaged, lr 0.1, seed 3", .colourSlot = slot, .line = {line}};
}

/// A target below all values has a line of its own above the axis, on either scale.
TEST(ChartBounds, AreNotHiddenByTheAxis) {
  for (const bool logarithmic : {false, true}) {
    ChartModel chart;
    chart.last = 10;
    chart.logarithmic = logarithmic;
    Line line;
    line.x = {0, 10};
    line.y = {85, 90};
    chart.curves = {{.line = {line}}};
    chart.bounds = {{80, "target"}};
    const ChartLayout layout = layoutOfHeight(chart, 260);
    EXPECT_LT(layout.y.low, 80) << logarithmic;
    EXPECT_GT(layout.plot.bottom - layout.toY(80), 2) << logarithmic;
  }
}

/// One line over 0 to 100 with these borders.
ChartModel withBorders(std::vector<ChartBorder> borders) {
  Line line;
  line.x = {0, 100};
  line.y = {10, 20};
  return {.last = 100, .borders = std::move(borders), .curves = {{.line = {line}}}};
}

/// A step at the end of the axis has its name, and no bound is named across its line.
TEST(ChartBorders, AreNamedAtTheEndOfTheAxis) {
  ChartModel chart = withBorders({{50, "500"}, {100, "1000"}});
  chart.bounds = {{40, "target"}};
  const TextMetrics font = helveticaMetrics(11);
  const ChartLayout layout =
      layOut(chart, {.width = 500, .height = 200, .above = 20, .right = 4}, font, Language::english);
  ASSERT_EQ(layout.names.size(), 2U);
  EXPECT_GT(layout.names[0].at.x, layout.toX(50));
  EXPECT_LE(layout.names[1].at.x + font.width("1000"), layout.toX(100)) << "before its line";
  EXPECT_LT(layout.boundTexts.at(0).x, layout.toX(50)) << "not across the last line";
}

/// A name that does not fit is cut in its own part of the axis, and covers no other.
TEST(ChartBorders, NamesAreInTheirOwnPart) {
  const ChartModel chart = withBorders({{0, "warm-up"}, {75, "fine-tuning on images of one's own"}});
  for (const double width : {300.0, 500.0}) {
    const ChartLayout layout = layOut(chart, {.width = width, .height = 200, .above = 20, .right = 4},
                                      helveticaMetrics(11), Language::english);
    ASSERT_EQ(layout.names.size(), 2U);
    EXPECT_EQ(layout.names[0].text, "warm-up") << width;
    EXPECT_GT(layout.names[1].at.x, layout.toX(75)) << width;
  }
}

ChartModel withOneSpike(double place) {
  Line line;
  for (int x = 0; x <= 100; ++x) {
    line.x.push_back(x);
    line.y.push_back(x == place ? 1000 : 1 + 0.01 * (x % 7));
  }
  return {.last = 100, .robust = true, .curves = {{.line = {line}}}};
}

/// Words beside the triangle of a value that the axis leaves out stay in the plot, wherever it is.
TEST(ChartMarks, WordsAboutWhatLiesOutsideAreInside) {
  for (int place = 0; place <= 100; ++place) {
    const ChartModel chart = withOneSpike(place);
    const ChartLayout layout = layoutOfHeight(chart, 160);
    ASSERT_EQ(layout.outside.size(), 1U) << place;
    int found = 0;
    for (const Mark& mark : frontMarks(chart, layout, 11, Language::english).marks) {
      const auto* text = std::get_if<DrawnText>(&mark);
      if (text == nullptr || text->text.find(" at ") == std::string::npos) continue;
      ++found;
      EXPECT_EQ(text->anchor, Anchor::start);
      EXPECT_GE(text->at.x, layout.plot.left - 3) << place;
      EXPECT_LE(text->at.x + textWidth(text->text, text->size), layout.plot.right) << place;
    }
    EXPECT_EQ(found, 1);
  }
}

/// What curves come to is told apart by an axis that does not reach down to where they began; a mark says that they
/// did.
TEST(ChartAxis, ASteepBeginningGoesOutOfSight) {
  Line line;
  for (int x = 0; x <= 100; ++x) {
    line.x.push_back(x);
    line.y.push_back(x < 15 ? 10 + 4 * x : 80 + 0.1 * (x % 20));
  }
  ChartModel chart{.last = 100, .upperLimit = 100, .settled = true, .curves = {{.line = {line}}}};
  const ChartLayout settled = layoutOfHeight(chart, 160);
  EXPECT_GE(settled.y.low, 75);
  ASSERT_EQ(settled.outside.size(), 1U);
  EXPECT_FALSE(settled.outside[0].above);
  EXPECT_EQ(settled.outside[0].value, 10);
  for (const Mark& mark : frontMarks(chart, settled, 11, Language::english).marks) {
    const auto* text = std::get_if<DrawnText>(&mark);
    EXPECT_TRUE(text == nullptr || text->text.find(" at ") == std::string::npos) << "the line goes through there";
  }
  chart.settled = false;
  EXPECT_LE(layoutOfHeight(chart, 160).y.low, 10);
  chart.settled = true;
  chart.curves[0].line[0].y = chart.curves[0].line[0].x;
  EXPECT_LE(layoutOfHeight(chart, 160).y.low, 0) << "a curve that rises to its end is seen whole";
}

TEST(ChartAxis, ALongRiseGoesOutOfSightWhereItIsNothingElse) {
  Line line;
  for (int x = 0; x <= 100; ++x) {
    line.x.push_back(x);
    line.y.push_back(x < 40 ? 10 + 1.75 * x : 80 + 0.1 * (x % 20));
  }
  ChartModel chart{.last = 100, .upperLimit = 100, .settled = true, .curves = {{.line = {line}}}};
  const ChartLayout layout = layoutOfHeight(chart, 160);
  EXPECT_GE(layout.y.low, 75);
  ASSERT_EQ(layout.outside.size(), 1U);
  EXPECT_EQ(layout.outside[0].value, 10);
  chart.curves[0].line[0].y[35] = 30;
  EXPECT_LE(layoutOfHeight(chart, 160).y.low, 10) << "a collapse on the way is seen";
}

/// `beginning` steps near 10, then values near 80.
Line settlingLine(int first, int last, int beginning) {
  Line line;
  for (int x = first; x <= last; ++x) {
    line.x.push_back(x);
    line.y.push_back(x - first < beginning ? 10 : 80 + 0.1 * (x % 20));
  }
  return line;
}

TEST(ChartAxis, EveryCurveHasABeginningOfItsOwn) {
  Line shortRun = settlingLine(0, 100, 5);
  for (double& value : shortRun.y) value = std::min(value, 60.0);
  ChartModel chart{
      .last = 1000, .settled = true, .curves = {{.line = {settlingLine(0, 1000, 50)}}, {.line = {shortRun}}}};
  EXPECT_LE(layoutOfHeight(chart, 160).y.low, 60) << "a short run beside a long one is seen";
  EXPECT_GT(layoutOfHeight(chart, 160).y.low, 20);
  chart.curves = {{.line = {settlingLine(0, 400, 20)}}, {.line = {settlingLine(600, 1000, 20)}}};
  EXPECT_GT(layoutOfHeight(chart, 160).y.low, 20) << "a later run begins, too";
}

TEST(ChartAxis, WhatIsZoomedIntoIsSeen) {
  Line line = settlingLine(0, 1000, 50);
  for (int x = 485; x <= 495; ++x) line.y[static_cast<std::size_t>(x)] = 50;
  const ChartModel chart{.first = 480, .last = 580, .settled = true, .curves = {{.line = {line}}}};
  EXPECT_LE(layoutOfHeight(chart, 160).y.low, 50);
}

TEST(ChartAxis, OneFarValueIsStillAnException) {
  Line line = settlingLine(0, 1000, 50);
  line.y[700] = 11;
  const ChartModel chart{.last = 1000, .robust = true, .settled = true, .curves = {{.line = {line}}}};
  EXPECT_GT(layoutOfHeight(chart, 160).y.low, 70);
}

TEST(ChartPoints, OfRawLinesAndBandsAreCountedWhereTheyAreSeen) {
  Line high, low;
  for (int x = 0; x <= 100; ++x) {
    for (Line* line : {&high, &low}) line->x.push_back(x);
    high.y.push_back(9);
    low.y.push_back(1);
  }
  const ChartModel chart{.last = 100, .curves = {{.raw = {high}, .line = {low}, .lowest = {low}, .highest = {high}}}};
  const ChartLayout layout = layoutOfHeight(chart, 160);
  const Rect upper{layout.plot.left, layout.plot.top, layout.plot.right + 1, layout.toY(5)};
  EXPECT_EQ(pointsWithin(chart, layout, upper), 0);
  EXPECT_EQ(allPointsWithin(chart, layout, upper), 202);
}

TEST(ChartPoints, BetweenDistantSamplesAreCounted) {
  const ChartModel chart{.last = 20, .curves = {{.line = {Line{{0, 20}, {0, 10}}}}}};
  const ChartLayout layout = layoutOfHeight(chart, 160);
  const Rect& plot = layout.plot;
  const Rect middle{plot.left + 0.4 * plot.width(), plot.top, plot.left + 0.6 * plot.width(), plot.bottom};
  EXPECT_EQ(pointsWithin(chart, layout, middle), 0) << "no sample is there";
  EXPECT_GT(allPointsWithin(chart, layout, middle), 5) << "but the line is";
}

/// What an axis cannot show, or shows far outside, takes no time.
TEST(ChartPoints, OfValuesThatNoAxisShowsAreNotWalked) {
  ChartModel chart{.last = 20, .curves = {{.line = {Line{{0, 1, 20}, {1, 1e30, 0}}}}}};
  const auto count = [&] {
    const ChartLayout layout = layoutOfHeight(chart, 160);
    return allPointsWithin(chart, layout, layout.plot);
  };
  EXPECT_GE(count(), 1);
  chart.logarithmicX = true;
  EXPECT_GE(count(), 1);
  chart.logarithmic = true;
  EXPECT_GE(count(), 0);
  chart.robust = true;
  chart.curves.front().line.front().y = {1, 1e30, 1};
  EXPECT_GE(count(), 1);
}

TEST(ChartMarks, ACurveThatLiesOnAnotherHasGapsInWhichThatIsSeen) {
  Line steps;
  steps.x = {0, 10, 10, 20};
  steps.y = {0, 0, 1, 1};
  Line later = steps;
  later.x = {0, 15, 15, 20};
  const ChartModel chart{.last = 20,
                         .curves = {{.colourSlot = 0, .line = {steps}},
                                    {.colourSlot = 1, .line = {steps}},
                                    {.colourSlot = 2, .line = {later}},
                                    {.colourSlot = 3, .line = {steps}}}};
  const ChartLayout layout = layoutOfHeight(chart, 160);
  EXPECT_EQ(linePath(chart, chart.curves[0], layout).dashes, "");
  EXPECT_EQ(linePath(chart, chart.curves[1], layout).dashes, "6 6");
  EXPECT_EQ(linePath(chart, chart.curves[2], layout).dashes, "");
  EXPECT_EQ(linePath(chart, chart.curves[3], layout).dashes, "3 9") << "the second is still seen";
}

TEST(ChartLabels, FollowEachOtherAsTheEndsOfTheirLinesDo) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> end(0.05, 0.4);
  const TextMetrics font = helveticaMetrics(11);
  for (int trial = 0; trial < 200; ++trial) {
    ChartModel chart{.last = 100, .logarithmic = trial % 2 == 1};
    for (int slot = 0; slot < 3; ++slot) chart.curves.push_back(fallingTo(end(random), random, slot));
    const ChartLayout layout = layoutOfHeight(chart, trial % 3 == 0 ? 120 : 260);
    const auto labels = labelsWithin(chart, layout, {"averaged 0.301", "adasum 0.298", "third 0.31"}, font);
    ASSERT_EQ(labels.size(), 3U) << trial;
    for (std::size_t i = 0; i < labels.size(); ++i) {
      EXPECT_GE(labels[i].place.top, layout.plot.top);
      EXPECT_LE(labels[i].place.bottom, layout.plot.bottom + 1e-9);
      if (i == 0) continue;
      EXPECT_LE(labels[i - 1].end, labels[i].end);
      EXPECT_LE(labels[i - 1].place.bottom, labels[i].place.top + 1e-9) << trial;
    }
  }
}

TEST(ChartLabels, AreNearestToTheirOwnLineWhereLinesEndFarApart) {
  std::mt19937 random(7);
  ChartModel chart{.last = 100};
  for (const double last : {0.2, 1.8}) chart.curves.push_back(fallingTo(last, random, 0));
  const ChartLayout layout = layoutOfHeight(chart, 260);
  const auto labels = labelsWithin(chart, layout, {"low", "high"}, helveticaMetrics(11));
  ASSERT_EQ(labels.size(), 2U);
  const auto distance = [&](const EndLabel& label, const EndLabel& line) {
    return std::abs((label.place.top + label.place.bottom) / 2 - line.end);
  };
  EXPECT_LT(distance(labels[0], labels[0]), distance(labels[0], labels[1]));
  EXPECT_LT(distance(labels[1], labels[1]), distance(labels[1], labels[0]));
}

TEST(ChartLabels, AsManyAreShownAsHaveRoom) {
  std::mt19937 random(7);
  ChartModel chart{.last = 100};
  for (int slot = 0; slot < 3; ++slot) chart.curves.push_back(fallingTo(0.1, random, slot));
  const ChartLayout layout = layoutOfHeight(chart, 66);
  const auto labels = labelsWithin(chart, layout, {"a", "b", "c"}, helveticaMetrics(11));
  ASSERT_FALSE(labels.empty());
  EXPECT_LT(labels.size(), 3U);
  for (const EndLabel& label : labels) EXPECT_LE(label.place.bottom, layout.plot.bottom + 1e-9);
}

TEST(ChartLabels, AnEndThatALogarithmicAxisCannotShowHasNoneAndTheOthersKeepTheirs) {
  std::mt19937 random(7);
  ChartModel chart{.last = 100, .logarithmic = true};
  for (int slot = 0; slot < 2; ++slot) chart.curves.push_back(fallingTo(0.2, random, slot));
  chart.curves[0].line[0].y.back() = 0;
  const auto labels = labelsWithin(chart, layoutOfHeight(chart, 260), {"zero", "other"}, helveticaMetrics(11));
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_EQ(labels[0].text, "other");
}

TEST(ChartLabels, AnUprightDoesNotCrossOneThatHasRoomBesideIt) {
  ChartModel chart{.last = 192, .curves = {{.line = {Line{.x = {0, 176, 176, 192}, .y = {0, 0, 1, 1}}}}}};
  const ChartLayout layout = layoutOfHeight(chart, 260);
  const auto labels = labelsWithin(chart, layout, {"adasum"}, helveticaMetrics(11));
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_LT(labels[0].place.right, layout.toX(176));
}

TEST(ChartLabels, AreRightOfThePlotWhereAllHaveRoomThere) {
  std::mt19937 random(7);
  ChartModel chart{.last = 100};
  for (const double last : {0.2, 0.22, 1.8}) chart.curves.push_back(fallingTo(last, random, 0));
  const ChartSpace space{.width = 500, .height = 260, .above = 20, .right = 100};
  const TextMetrics font = helveticaMetrics(11);
  const ChartLayout layout = layOut(chart, space, font, Language::english);
  const auto labels = labelsWithin(chart, layout, {"low", "near", "high"}, font);
  ASSERT_EQ(labels.size(), 3U);
  for (const EndLabel& label : labels) {
    EXPECT_GT(label.place.left, layout.plot.right);
    EXPECT_LE(label.place.right, layout.width);
  }
  EXPECT_LE(labels[1].place.bottom, labels[2].place.top + 1e-9) << "two ends at one place";
  const auto within = labelsWithin(chart, layout, {"low", "near", std::string(40, 'w')}, font);
  for (const EndLabel& label : within) EXPECT_LT(label.place.right, layout.plot.right) << "one has no room there";
}

TEST(ChartLabels, ACountSaysHowManyThereAreInAll) {
  for (const double all : {5.0, 7.0, 20.0}) {
    ChartModel chart{.last = 100, .curves = {{.line = {Line{.x = {0, 100}, .y = {0, 3}}}}}};
    chart.wholeNumbers = true;
    chart.range = {0, all};
    const std::vector<AxisTick> ticks = layoutOfHeight(chart, 180).yTicks;
    ASSERT_GE(ticks.size(), 2U) << all;
    EXPECT_EQ(ticks.back().value, all);
    for (const AxisTick& tick : ticks) EXPECT_EQ(tick.value, std::floor(tick.value)) << all;
  }
}

std::vector<double> valuesOf(const std::vector<AxisTick>& ticks) {
  std::vector<double> values;
  for (const AxisTick& tick : ticks) values.push_back(tick.value);
  return values;
}

TEST(ChartLabels, AFewCountsAreAllSaid) {
  ChartModel chart{.last = 100, .curves = {{.line = {Line{.x = {0, 100}, .y = {0, 3}}}}}};
  chart.wholeNumbers = true;
  chart.range = {0, 7};
  EXPECT_EQ(valuesOf(layoutOfHeight(chart, 180).yTicks), (std::vector<double>{0, 1, 2, 3, 4, 5, 6, 7}));
  EXPECT_LT(layoutOfHeight(chart, 90).yTicks.size(), 8U) << "they need a line's height each";
}

TEST(ChartLabels, AWholeRunIsInEqualParts) {
  ChartModel chart{.last = 192, .evenSteps = true, .curves = {{.line = {Line{.x = {0, 192}, .y = {0, 3}}}}}};
  EXPECT_EQ(valuesOf(layoutOfHeight(chart, 180).xTicks), (std::vector<double>{0, 48, 96, 144, 192}));
  chart.last = 129;
  EXPECT_EQ(valuesOf(layoutOfHeight(chart, 180).xTicks), (std::vector<double>{0, 43, 86, 129})) << "not by four";
  chart.last = 127;
  EXPECT_EQ(valuesOf(layoutOfHeight(chart, 180).xTicks).back(), 127) << "by nothing: round steps, and the last";
  chart.first = 20;
  chart.last = 140;
  EXPECT_EQ(valuesOf(layoutOfHeight(chart, 180).xTicks), (std::vector<double>{50, 100})) << "a part has round steps";
}

TEST(ChartLabels, RawLinesAreKeptFree) {
  ChartModel chart{.last = 100, .curves = {{.raw = {Line{}}, .line = {Line{}}}}};
  for (int x = 0; x <= 100; ++x) {
    chart.curves[0].line[0].x.push_back(x);
    chart.curves[0].line[0].y.push_back(1);
    chart.curves[0].raw[0].x.push_back(x);
    chart.curves[0].raw[0].y.push_back(x % 2 == 0 ? 1.0 : 2.0);  // above the line alone
  }
  chart.curves[0].line[0].y[50] = 0;
  const ChartLayout layout = layoutOfHeight(chart, 260);
  const auto labels = labelsWithin(chart, layout, {"adasum"}, helveticaMetrics(11));
  ASSERT_EQ(labels.size(), 1U);
  EXPECT_GT(labels[0].place.top, layout.toY(1)) << "below the line, where nothing is drawn";
}

TEST(ChartLabels, ABandIsABetterPlaceThanALine) {
  const auto flat = [](double y) { return Line{.x = {0, 100}, .y = {y, y}}; };
  // The band leaves a little room at the top, where another curve is.
  const ChartModel chart{
      .last = 100,
      .range = {{0, 1}},
      .curves = {{.line = {flat(0.4)}, .lowest = {flat(0)}, .highest = {flat(0.94)}}, {.line = {flat(0.97)}}}};
  const ChartLayout layout = layoutOfHeight(chart, 260);
  for (const EndLabel& label : labelsWithin(chart, layout, {"banded", "bare"}, helveticaMetrics(11))) {
    for (const double y : {0.4, 0.97}) {
      const double line = layout.toY(y);
      EXPECT_FALSE(line > label.place.top && line < label.place.bottom) << label.text << " at " << y;
    }
  }
}

}  // namespace
}  // namespace slipstream
