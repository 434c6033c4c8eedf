// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QPainter>
#include <QRectF>
#include <QString>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/analysis/curve_source.h"
#include "engine/document/chart_layout.h"
#include "ui/theme/theme.h"

namespace slipstream::ui {

/// How all charts of a page show their curves.
struct ChartOptions {
  ChartX x = ChartX::step;
  double smoothing = 0.85;  ///< 0..0.99
  bool rawLine = true;
  bool logarithmicX = false;
  bool logarithmic = true;  ///< of charts whose metric may be
  bool bands = false;
  std::optional<std::pair<double, double>> zoom;  ///< of x; nothing: the whole run

  bool operator==(const ChartOptions&) const = default;
};

/// The value of one sample that deserves it, such as a spike.
struct ChartNote {
  double x = 0;
  double y = 0;
  QString text;
};

/// The samples of one curve under the cursor; from the full data, where the chart's owner has them.
struct CursorReading {
  double x = 0;
  double smoothed = 0;             ///< where the ring is drawn
  std::optional<double> raw = {};  ///< nothing: not known
};

/// The row below the title: what the first curves are worth at the cursor, or also what they are called.
enum class ReadingRow { none, values, names };

/// `lineEnds`: each label beside the end of its line, for three lines or fewer.
enum class LegendPlace { none, inside, titleRow, lineEnds };

/// A chart as the window shows it: a value, so that it is drawn alike on the screen, on print and in files.
struct ShownChart : ChartModel {
  ShownChart() = default;
  explicit ShownChart(ChartModel chart) : ChartModel(std::move(chart)) {}

  std::vector<ChartNote> notes;
  QString emptyText;  ///< in the middle, where there is no curve

  LegendPlace legend = LegendPlace::none;
  QString legendTitle;    ///< what differs between the curves: "reduction"
  bool smoothed = false;  ///< the curves' lines are: the legend has a column for each
  bool cursorTag = true;  ///< x is shown in a tag on the axis
  ReadingRow readingRow = ReadingRow::none;
  std::vector<int> withoutCurve;          ///< colours of runs that the page shows and this chart has nothing of
  std::vector<std::size_t> readingOrder;  ///< of the curves in that row; those that it lacks come last
  double titleLeft = 0, titleRight = 0;   ///< left free beside the title, for what takes hold of the chart
  double rightRoom = 0;                   ///< at least that much right of the plot, for labels beside the ends of lines
  double leftRoom = 0;  ///< at least that much left of the plot, so that stacked charts share one axis
  bool xLabels = true;  ///< the axis is labelled here, and not below another chart

  std::optional<double> cursor;
  bool snaps = true;  ///< the cursor is moved to the nearest sample; of charts that share one, in the main one alone
  std::vector<std::optional<CursorReading>> readings;  ///< one a curve; empty: read off the lines
  /// What the whole curves end with, one a curve; empty: read off the lines.
  std::vector<std::optional<CursorReading>> ends;
};

ChartLayout layoutOf(const ShownChart& chart, const QSizeF& size);
/// The chart as it stands by itself, in a file: with a legend, and nothing to take hold of.
ShownChart aloneOf(ShownChart chart);
TextMetrics metricsOf(const QFont& font);

QRectF rectOf(const Rect& rect);
/// Where curves are drawn: one that runs along an edge keeps its width, one that leaves the plot ends at its edge.
QRectF curvesRect(const ChartLayout& layout);

/// The size of the font of a chart's labels, as its marks count it.
double labelSize();

/// Where the tag of a cursor with these words is, below the plot.
QRectF cursorTag(const QRectF& plot, double x, double width, const QString& words);

/// A dashed line at a cursor and, unless `words` is empty, a tag with them below the plot, `width` being the chart's.
void paintCursorLine(QPainter& painter, const QRectF& plot, double x, double width, const QColor& colour,
                     const QString& words);

/// The edges of a text on the ground of the chart: bands and lines behind it are seen, and the name is read.
void paintHalo(QPainter& painter, const QPointF& start, const QFont& font, const QString& words);

/// Erases the labels of the x axis that the tag of the cursor would cover in part.
void clearLabelsUnder(QPainter& painter, const ChartLayout& layout, const QRectF& tag);

/// A position on the x axis as the cursor's tag shows it: "step 240".
QString xText(ChartX kind, double value);

/// A text of ui/charts marked with QT_TRANSLATE_NOOP("Chart", ...), in the language of the window.
inline QString chartText(const char* text) {
  return QCoreApplication::translate("Chart", text);
}
/// One with %n, marked with QT_TRANSLATE_N_NOOP.
inline QString chartText(const char* text, std::size_t count) {
  return QCoreApplication::translate("Chart", text, nullptr, static_cast<int>(count));
}

}  // namespace slipstream::ui
