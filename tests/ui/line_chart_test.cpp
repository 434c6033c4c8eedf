// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/line_chart.h"

#include <QSignalSpy>
#include <QTest>
#include <algorithm>
#include <cmath>

#include <gtest/gtest.h>

#include "tests/ui/drawn_texts.h"
#include "tests/ui/drawn_whole.h"
#include "ui/charts/chart_legend.h"
#include "ui/theme/theme.h"
#include "ui/widgets/widgets.h"

namespace slipstream::ui {
namespace {

Line ramp(int count) {
  Line line;
  for (int i = 0; i < count; ++i) {
    line.x.push_back(i);
    line.y.push_back(i);
  }
  return line;
}

ShownChart pictureOf(const Line& samples) {
  ShownChart picture;
  picture.title = "Training loss";
  picture.last = samples.x.back();
  ChartCurve curve;
  curve.label = "adasum";
  curve.line = decimate(samples, {0, picture.last, 800});
  picture.curves.push_back(std::move(curve));
  return picture;
}

bool isNear(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue()) < 60;
}

/// Pixels of a colour in a stripe around x.
int inked(const LineChart& chart, const QImage& image, double x, double top, double bottom, const QColor& colour) {
  int count = 0;
  const int middle = static_cast<int>(chart.pixelOf(x));
  for (int column = middle - 1; column <= middle + 1; ++column) {
    for (int row = static_cast<int>(top); row < static_cast<int>(bottom); ++row) {
      if (isNear(image.pixelColor(column, row), colour)) ++count;
    }
  }
  return count;
}

ShownChart manyCurves(int count, int slot) {
  ShownChart picture = pictureOf(ramp(200));
  for (int i = 1; i < count; ++i) picture.curves.push_back(picture.curves.front());
  for (ChartCurve& curve : picture.curves) curve.colourSlot = slot;
  return picture;
}

int inkedInMiddle(const LineChart& chart, const QColor& colour) {
  const QImage image = const_cast<LineChart&>(chart).grab().toImage();
  return inked(chart, image, 100, chart.plot().top(), chart.plot().bottom(), colour);
}

/// Very many curves, all of them drawn.
void showDrawn(LineChart& chart) {
  chart.resize(600, 300);
  chart.setModel(manyCurves(30, 0));
  test::drawnWhole(chart);
  ASSERT_TRUE(chart.isDrawn());
}

TEST(LineChart, VeryManyCurvesAreDrawnInAnotherThreadAndFewAtOnce) {
  LineChart chart;
  chart.resize(600, 300);
  chart.setModel(manyCurves(30, 0));
  EXPECT_EQ(inkedInMiddle(chart, runPen(0).colour), 0);
  EXPECT_FALSE(chart.isDrawn());
  test::drawnWhole(chart);
  ASSERT_TRUE(chart.isDrawn());
  EXPECT_GT(inkedInMiddle(chart, runPen(0).colour), 0);
  chart.setModel(manyCurves(3, 1));
  EXPECT_GT(inkedInMiddle(chart, runPen(1).colour), 0);
  EXPECT_TRUE(chart.isDrawn());
}

TEST(LineChart, OtherCurvesAreNeverShownInThePlaceOfTheModels) {
  LineChart chart;
  showDrawn(chart);
  chart.setModel(manyCurves(30, 1));
  EXPECT_EQ(inkedInMiddle(chart, runPen(0).colour), 0);
  chart.setModel(manyCurves(30, 2));  // while the ones before are being drawn
  for (bool drawn = false; !drawn; QCoreApplication::processEvents()) {
    drawn = chart.isDrawn();
    EXPECT_EQ(inkedInMiddle(chart, runPen(1).colour), 0);
  }
  EXPECT_GT(inkedInMiddle(chart, runPen(2).colour), 0);
}

TEST(LineChart, OldCurvesStayInSightWhileTheAxisMoves) {
  for (const bool pointsOut : {false, true}) {
    LineChart chart;
    if (pointsOut) chart.pointOut({0});
    showDrawn(chart);
    chart.setRange(50, 150);
    EXPECT_GT(inkedInMiddle(chart, runPen(0).colour), 0) << "where they come to lie";
  }
}

TEST(LineChart, OldCurvesAreNotShownOnAnotherAxisOrUnderAnotherTitle) {
  for (const bool logarithmic : {true, false}) {
    LineChart chart;
    showDrawn(chart);
    ASSERT_GT(inkedInMiddle(chart, runPen(0).colour), 0);
    ShownChart next = manyCurves(30, 0);
    next.logarithmic = logarithmic;
    if (!logarithmic) next.title = "Step time";
    chart.setModel(std::move(next));
    EXPECT_EQ(inkedInMiddle(chart, runPen(0).colour), 0) << logarithmic;
  }
}

TEST(LineChart, ATitleIsWholeAndTheLegendNamesAsManyAsHaveRoom) {
  ShownChart picture = pictureOf(ramp(100));
  picture.treatment = "log scale, smoothed 0.85";
  picture.legend = LegendPlace::titleRow;
  for (int i = 0; i < 8; ++i) picture.curves.push_back(picture.curves.front());
  const double title = QFontMetricsF(textFont(TextSize::section)).horizontalAdvance(text(picture.title));
  std::size_t before = 0;
  for (const double width : {300.0, 500.0, 740.0, 2000.0}) {
    const TitleRow row = titleRowOf(picture, width);
    EXPECT_LE(title + row.legendWidth, width);
    EXPECT_GE(row.entries, before);
    before = row.entries;
    EXPECT_TRUE(row.treatment.isEmpty() || text(picture.treatment).startsWith(row.treatment));
  }
  EXPECT_EQ(before, 9U);
  EXPECT_EQ(titleRowOf(picture, 2000).treatment, text(picture.treatment));
  EXPECT_LT(titleRowOf(picture, 500).entries, 9U);
}

TEST(LineChart, WordsOfABoundStandWhereNoPointsAre) {
  ShownChart picture = pictureOf(ramp(100));
  Line upright;  // at the right end of the bound
  for (double y = 48; y < 52; y += 0.02) {
    upright.x.push_back(100);
    upright.y.push_back(y);
  }
  picture.curves.front().line = {upright};
  picture.last = 100;
  picture.bounds = {{50, "target"}};
  LineChart chart;
  chart.setModel(picture);
  chart.resize(600, 300);
  chart.show();
  const std::vector<test::DrawnText> texts = test::drawnTexts(chart);
  const auto words = std::ranges::find(texts, QStringLiteral("target"), &test::DrawnText::text);
  ASSERT_NE(words, texts.end());
  EXPECT_LT(words->ink.right(), 200);
}

TEST(LineChart, DrawsALineFromCornerToCorner) {
  LineChart chart;
  chart.resize(600, 300);
  chart.setModel(pictureOf(ramp(101)));
  const QImage image = chart.grab().toImage();
  const QColor colour = runPen(0).colour;
  const QRectF plot = chart.plot();
  for (const double x : {10.0, 50.0, 90.0}) {
    const double y = plot.bottom() - plot.height() * x / 100;
    EXPECT_GT(inked(chart, image, x, y - 3, y + 3, colour), 0) << x;
    EXPECT_EQ(inked(chart, image, x, plot.top(), y - 4, colour), 0) << x;
  }
}

TEST(LineChart, PlacesOnTheAxisReadBack) {
  LineChart chart;
  chart.resize(600, 300);
  for (const bool logarithmic : {false, true}) {
    ShownChart picture = pictureOf(ramp(101));
    picture.logarithmicX = logarithmic;
    chart.setModel(std::move(picture));
    EXPECT_NEAR(chart.xAt(chart.pixelOf(42)), 42, 1e-9);
  }
}

TEST(LineChart, DraggingAsksForThatRange) {
  LineChart chart;
  chart.resize(600, 300);
  chart.setModel(pictureOf(ramp(101)));
  chart.show();
  double first = 0, last = 0;
  QObject::connect(&chart, &LineChart::rangeWanted, [&](double from, double to) {
    first = from;
    last = to;
  });
  const int y = static_cast<int>(chart.plot().center().y());
  const auto at = [&](double x) { return QPoint(static_cast<int>(std::lround(chart.pixelOf(x))), y); };
  QTest::mousePress(&chart, Qt::LeftButton, {}, at(60));
  QTest::mouseMove(&chart, at(40));
  QTest::mouseMove(&chart, at(20));
  QTest::mouseRelease(&chart, Qt::LeftButton, {}, at(20));
  EXPECT_NEAR(first, 20, 0.3);
  EXPECT_NEAR(last, 60, 0.3);
}

TEST(LineChart, KeysStepTheCursor) {
  LineChart chart;
  chart.resize(600, 300);
  chart.setModel(pictureOf(ramp(101)));
  QSignalSpy stepped(&chart, &LineChart::cursorStepped);
  QTest::keyClick(&chart, Qt::Key_Right);
  QTest::keyClick(&chart, Qt::Key_Left);
  ASSERT_EQ(stepped.count(), 2);
  EXPECT_EQ(stepped[0][0].toInt(), 1);
  EXPECT_EQ(stepped[1][0].toInt(), -1);
}

/// Rows of pixels below the tip of a spike that hold its ink, of those without a grid line.
std::pair<int, int> inkBelowTip(const LineChart& chart, const QImage& image, double x, double value) {
  constexpr int rows = 10, reach = 4, faint = 10;
  const int middle = static_cast<int>(chart.pixelOf(x));
  const int tip = static_cast<int>(chart.pixelOfValue(value));
  int inked = 0, looked = 0;
  for (int row = tip + 2; row < tip + 2 + rows; ++row) {
    const int background = image.pixelColor(static_cast<int>(chart.plot().left()) + 1, row).lightness();
    if (background < tokens().base.lightness()) continue;
    bool found = false;
    for (int column = middle - reach; column <= middle + reach; ++column) {
      found = found || image.pixelColor(column, row).lightness() < background - faint;
    }
    ++looked;
    inked += found ? 1 : 0;
  }
  return {inked, looked};
}

/// One-sample spikes injected into a long series leave their ink at every zoom, thinned as charts are.
TEST(LineChart, EverySpikeIsVisibleAtEveryZoom) {
  constexpr int samples = 200'000;
  Line series;
  for (int i = 0; i < samples; ++i) {
    series.x.push_back(i);
    series.y.push_back(1 + 0.01 * (i % 7));
  }
  const std::vector<int> spikes{5, 20'011, 61'803, 61'950, 150'000, 199'990};
  for (const int spike : spikes) series.y[static_cast<std::size_t>(spike)] = 9;
  LineChart chart;
  chart.resize(700, 260);
  chart.grab();
  for (const double width : {200'000.0, 40'000.0, 3'000.0, 200.0, 30.0}) {
    for (const int spike : spikes) {
      ShownChart picture;
      picture.first = spike - width / 3;
      picture.last = spike + width / 2;
      ChartCurve curve;
      curve.raw = decimate(series, {picture.first, picture.last, 2 * chart.columns()});
      curve.line.push_back({{picture.first, picture.last}, {1, 1}});
      picture.curves.push_back(std::move(curve));
      chart.setModel(std::move(picture));
      const auto [inked, looked] = inkBelowTip(chart, chart.grab().toImage(), spike, 9);
      EXPECT_EQ(inked, looked) << spike << " in " << width;
      EXPECT_GT(looked, 5);
    }
  }
}

/// A line with one spike, whose curves are drawn once and then pulled to other ranges.
class PulledChart : public testing::Test {
 protected:
  PulledChart() {
    applyTheme(*qApp, ThemeChoice::light);
    Line samples = ramp(1000);
    std::ranges::fill(samples.y, 0.0);
    samples.y[spike_] = 10;
    chart_.resize(600, 300);
    chart_.setModel(pictureOf(samples));
  }
  /// The spike's ink half-way up, where it ought to be, and none a little aside.
  void expectSpikeInPlace(const char* when) {
    const QImage image = chart_.grab().toImage();
    EXPECT_GT(inkAt(image, 0), 10) << when;
    EXPECT_EQ(inkAt(image, 45), 0) << when;
  }

  int inkAt(const QImage& image, double aside) const {
    int count = 0;
    const int middle = static_cast<int>(chart_.pixelOf(spike_) + aside);
    const int row = static_cast<int>(chart_.plot().center().y());
    for (int column = middle - 1; column <= middle + 1; ++column) {
      for (int y = row - 20; y < row + 20; ++y) {
        const QColor pixel = image.pixelColor(column, y);
        const QColor& base = tokens().base;
        const int ink = std::abs(pixel.red() - base.red()) + std::abs(pixel.green() - base.green()) +
                        std::abs(pixel.blue() - base.blue());
        if (ink > 120) ++count;
      }
    }
    return count;
  }

  static constexpr int spike_ = 500;
  LineChart chart_;
};

TEST_F(PulledChart, KeepsItsCurvesInPlace) {
  chart_.setRange(0, 800);
  expectSpikeInPlace("before the first drawing");
  chart_.setRange(250, 750);
  expectSpikeInPlace("zoomed");
  chart_.setRange(300, 800);
  expectSpikeInPlace("panned");
  chart_.setRange(0, 999);
  expectSpikeInPlace("zoomed out");
  chart_.setRange(495, 505);
  const double halfASample = chart_.pixelOf(500.5) - chart_.pixelOf(500);
  EXPECT_GT(inkAt(chart_.grab().toImage(), halfASample), 5) << "zoomed too far to pull: the slope half-way up";
  chart_.setRange(0, 999);
  expectSpikeInPlace("zoomed out of what was drawn");
  chart_.setRange(400, 700);
  chart_.resize(500, 260);
  expectSpikeInPlace("another size");
  ShownChart picture = chart_.model();
  picture.curves.front().colourSlot = 0;
  chart_.setModel(picture);
  chart_.setRange(450, 650);
  expectSpikeInPlace("a new picture, then a range");
}

TEST(LineChart, AnEmptyPictureIsNoTrouble) {
  LineChart chart;
  chart.resize(300, 150);
  EXPECT_FALSE(chart.grab().isNull());
  ShownChart picture;
  picture.curves.resize(2);
  picture.logarithmic = true;
  picture.legend = LegendPlace::inside;
  chart.setModel(std::move(picture));
  EXPECT_FALSE(chart.grab().isNull());
}

TEST(LineChart, LabelsAtTheEndsHideNoLine) {
  LineChart chart;
  chart.resize(600, 300);
  ShownChart picture = pictureOf(ramp(101));
  picture.curves.clear();
  for (const double height : {10.0, 98.0, 100.0}) {
    ChartCurve curve;
    curve.label = "a variant";
    curve.colourSlot = static_cast<int>(picture.curves.size());
    curve.line = {Line{{0, 100}, {height, height}}};
    picture.curves.push_back(std::move(curve));
  }
  picture.legend = LegendPlace::none;
  chart.setModel(picture);
  const QImage bare = chart.grab().toImage();
  picture.legend = LegendPlace::lineEnds;
  chart.setModel(std::move(picture));
  const QImage labelled = chart.grab().toImage();
  EXPECT_NE(bare, labelled);
  for (int row = 0; row < bare.height(); ++row) {
    const int column = static_cast<int>(chart.plot().right()) - 30;
    const bool onLine = !isNear(bare.pixelColor(column, row), tokens().base) &&
                        !isNear(bare.pixelColor(column, row), tokens().chartGrid);
    if (!onLine) continue;
    EXPECT_EQ(bare.pixel(column, row), labelled.pixel(column, row)) << row;
  }
}

/// The table of many curves stays inside the plot of a small chart: neither title nor axis is covered.
TEST(LineChart, ALegendOfManyCurvesStaysInsideThePlot) {
  LineChart chart;
  chart.resize(400, 180);
  ShownChart picture = pictureOf(ramp(101));
  picture.curves.clear();
  for (int i = 0; i < 15; ++i) {
    ChartCurve curve;
    curve.label = "variant " + std::to_string(i);
    curve.colourSlot = i;
    curve.line = {Line{{0, 100}, {50.0 + i, 50.0 + i}}};
    picture.curves.push_back(std::move(curve));
  }
  picture.legend = LegendPlace::none;
  chart.setModel(picture);
  const QImage bare = chart.grab().toImage();
  picture.legend = LegendPlace::inside;
  chart.setModel(std::move(picture));
  const QImage labelled = chart.grab().toImage();
  EXPECT_NE(bare, labelled);
  for (int row = 0; row < bare.height(); ++row) {
    if (row > chart.plot().top() && row < chart.plot().bottom()) continue;
    for (int column = 0; column < bare.width(); ++column) {
      ASSERT_EQ(bare.pixel(column, row), labelled.pixel(column, row)) << column << ", " << row;
    }
  }
}

TEST(LineChart, AnotherThemeIsAnotherDrawing) {
  LineChart chart;
  chart.resize(300, 150);
  chart.setModel(pictureOf(ramp(10)));
  const QColor light = chart.grab().toImage().pixelColor(1, 100);
  applyTheme(*qApp, ThemeChoice::dark);
  const QColor dark = chart.grab().toImage().pixelColor(1, 100);
  applyTheme(*qApp, ThemeChoice::light);
  EXPECT_EQ(light, lightTokens().base);
  EXPECT_EQ(dark, darkTokens().base);
}

}  // namespace
}  // namespace slipstream::ui
