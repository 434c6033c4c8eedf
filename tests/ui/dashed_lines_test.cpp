// SPDX-License-Identifier: GPL-3.0-or-later
// Lines are lines: pixels away from a curve stay empty for every colour and dash, wherever a chart is drawn.
#include <QPicture>
#include <QRegularExpression>
#include <cmath>
#include <string_view>

#include <gtest/gtest.h>

#include "engine/base/files.h"
#include "tests/support/temporary_folder.h"
#include "ui/charts/chart_export.h"
#include "ui/charts/chart_painter.h"
#include "ui/charts/line_chart.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {
namespace {

constexpr int width = 600, height = 300;
constexpr double bandHalf = 0.5;

/// A roof: its ends are below its middle, so that a filled path would cover the triangle beneath.
double roof(double x) {
  return 10 - std::abs(x - 50) / 5;
}

Line roofLine(double shift) {
  Line line;
  for (int x = 0; x <= 100; ++x) {
    line.x.push_back(x);
    line.y.push_back(roof(x) + shift);
  }
  return line;
}

ShownChart roofPicture(int slot, bool band) {
  ShownChart picture;
  picture.title = "Training loss";
  picture.last = 100;
  picture.legend = LegendPlace::titleRow;  // none lies in the plot, in files neither
  ChartCurve curve;
  curve.label = "adasum";
  curve.colourSlot = slot;
  curve.line = {roofLine(0)};
  if (band) {
    curve.lowest = {roofLine(-bandHalf)};
    curve.highest = {roofLine(bandHalf)};
  }
  picture.curves.push_back(std::move(curve));
  return picture;
}

int distance(const QColor& a, const QColor& b) {
  return std::abs(a.red() - b.red()) + std::abs(a.green() - b.green()) + std::abs(a.blue() - b.blue());
}

/// Pixels of the plot that hold ink and are farther from the line than a line, or a band, is wide. `scale`: image
/// pixels to one of the chart.
int inkAway(const QImage& image, const LineChart& chart, bool band, double scale = 1) {
  constexpr double lineReach = 5;
  constexpr int faint = 8;
  const double bandReach = band ? chart.pixelOfValue(0) - chart.pixelOfValue(bandHalf) : 0;
  const QRectF plot = chart.plot();
  int count = 0;
  for (int row = static_cast<int>(plot.top()); row < static_cast<int>(plot.bottom()) - 1; ++row) {
    for (int column = static_cast<int>(plot.left()) + 1; column < static_cast<int>(plot.right()) - 1; ++column) {
      const double away = std::abs(row - chart.pixelOfValue(roof(chart.xAt(column))));
      if (away < lineReach + bandReach) continue;
      const QColor pixel = image.pixelColor(static_cast<int>(column * scale), static_cast<int>(row * scale));
      if (distance(pixel, tokens().base) > faint && distance(pixel, tokens().chartGrid) > faint) ++count;
    }
  }
  return count;
}

/// Pixels in the colour of the line itself.
int inkOn(const QImage& image, const LineChart& chart, int slot) {
  int count = 0;
  for (double x = 2; x < 98; x += 0.2) {
    const QPointF point(chart.pixelOf(x), chart.pixelOfValue(roof(x)));
    count += distance(image.pixelColor(point.toPoint()), runPen(slot).colour) < 60 ? 1 : 0;
  }
  return count;
}

class DashedLines : public testing::TestWithParam<std::tuple<int, bool, bool>> {
 protected:
  DashedLines() {
    applyTheme(*qApp, std::get<2>(GetParam()) ? ThemeChoice::dark : ThemeChoice::light);
    chart_.resize(width, height);
    chart_.setModel(roofPicture(slot_, band_));
  }
  ~DashedLines() override { applyTheme(*qApp, ThemeChoice::light); }

  const int slot_ = std::get<0>(GetParam());
  const bool band_ = std::get<1>(GetParam());
  LineChart chart_;
};

TEST_P(DashedLines, AreLinesOnTheScreen) {
  const QImage image = chart_.grab().toImage();
  EXPECT_EQ(inkAway(image, chart_, band_), 0);
  EXPECT_GT(inkOn(image, chart_, slot_), 50);
}

TEST_P(DashedLines, AreLinesWithManyBeside) {
  ShownChart picture = roofPicture(slot_, band_);
  for (int i = 1; i < 60; ++i) {
    picture.curves.push_back(picture.curves.front());
    picture.curves.back().colourSlot = (slot_ + i) % 60;
  }
  chart_.setModel(std::move(picture));
  EXPECT_EQ(inkAway(chart_.grab().toImage(), chart_, band_), 0);
}

TEST_P(DashedLines, AreLinesOnPaper) {
  ChartPainter painter;
  painter.layOut(chart_.model(), chart_.size());
  QPicture sheet;
  QPainter onSheet(&sheet);
  painter.paint(onSheet);
  painter.paintCursor(onSheet);
  onSheet.end();
  QImage image(width, height, QImage::Format_RGB32);
  image.fill(tokens().base);
  QPainter onImage(&image);
  onImage.drawPicture(0, 0, sheet);
  onImage.end();
  EXPECT_EQ(inkAway(image, chart_, band_), 0);
}

TEST_P(DashedLines, AreLinesInPngFiles) {
  const test::TemporaryFolder folder;
  const auto file = QString::fromStdString((folder.path() / "chart.png").string());
  ASSERT_TRUE(saveChart(chart_, file));
  const QImage image(file);
  const double scale = static_cast<double>(image.width()) / width;
  EXPECT_EQ(inkAway(image, chart_, band_, scale), 0);
}

/// What a PDF paints, decompressed.
std::string contentOf(const std::string& pdf) {
  std::string content;
  for (std::size_t at = pdf.find("stream\n"); at != std::string::npos; at = pdf.find("stream\n", at + 1)) {
    const std::size_t begin = at + 7;
    const std::size_t end = pdf.find("endstream", begin);
    if (end == std::string::npos) break;
    // qUncompress wants the length in front; a wrong one is only a hint.
    QByteArray packed("\0\1\0\0", 4);
    packed += QByteArray(pdf.data() + begin, static_cast<qsizetype>(end - begin));
    content += qUncompress(packed).toStdString() + '\n';
    at = end + std::string_view("endstream").size();
  }
  return content;
}

/// The most points of any path that the content fills.
int longestFilledPath(const std::string& content) {
  static const QRegularExpression space(QStringLiteral("\\s+"));
  int points = 0, most = 0;
  for (const QString& token : QString::fromLatin1(content.c_str()).split(space, Qt::SkipEmptyParts)) {
    if (token == QLatin1String("l") || token == QLatin1String("c")) ++points;
    const bool fills = token == QLatin1String("f") || token == QLatin1String("f*") || token == QLatin1String("B") ||
                       token == QLatin1String("B*");
    if (fills) most = std::max(most, points);
    if (fills || token == QLatin1String("S") || token == QLatin1String("n")) points = 0;
  }
  return most;
}

TEST_P(DashedLines, AreLinesInPdfFiles) {
  const test::TemporaryFolder folder;
  const auto file = folder.path() / "chart.pdf";
  ASSERT_TRUE(saveChart(chart_, QString::fromStdString(file.string())));
  const std::string content = contentOf(*readFile(file));
  ASSERT_NE(content.find(" l"), std::string::npos) << "the content was not read";
  constexpr int fewPoints = 20;
  if (band_) {
    EXPECT_GT(longestFilledPath(content), 100) << "the band is filled";
  } else {
    EXPECT_LT(longestFilledPath(content), fewPoints);
  }
}

INSTANTIATE_TEST_SUITE_P(EverySlot, DashedLines,
                         testing::Combine(testing::Values(0, 10, 21, 32, 43, 54), testing::Bool(), testing::Bool()));

}  // namespace
}  // namespace slipstream::ui
