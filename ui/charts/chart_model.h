// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QString>
#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "engine/analysis/curve_source.h"

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

/// One curve over any axis, thinned to the chart's device columns (engine/store/series.h): charts never get more.
struct LineCurve {
  QString label;
  int colourSlot = 0;
  std::vector<Line> raw;              ///< thin and pale, behind; empty where `line` is it
  std::vector<Line> line;             ///< in full colour
  std::vector<Line> lowest, highest;  ///< a band behind the line, piece by piece; empty: none
  std::vector<double> gaps;           ///< x of samples that are no numbers: each has a mark
  bool points = false;                ///< every sample has a dot (few samples)
  bool living = false;                ///< the last sample has a filled dot
  bool censored = false;              ///< two upright ticks at its end: it would have gone on
};

/// A horizontal dashed line with a text: a target, a bound.
struct ChartBound {
  double value = 0;
  QString text;
};

/// A vertical line with a name, where a stage begins.
struct ChartBorderLine {
  double x = 0;
  QString name;
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
  double smoothed = 0;  ///< where the ring is drawn
  double raw = 0;
};

/// `lineEnds`: each label beside the end of its line, for three lines or fewer.
enum class LegendPlace { none, inside, titleRow, lineEnds };

/// All that a chart shows: a value, so that it is drawn alike on the screen, on print and in files.
struct ChartModel {
  QString title;
  QString treatment;  ///< unit and what was done to the numbers: "cross-entropy, log scale, smoothed 0.85"

  ChartX xKind = ChartX::step;
  double first = 0;  ///< x at the left edge …
  double last = 1;   ///< … and at the right one
  bool logarithmicX = false;
  bool logarithmic = false;
  std::optional<double> upperLimit;  ///< that values cannot pass: 100 %
  bool wholeNumbers = false;         ///< values are counts: no ticks between

  std::vector<LineCurve> curves;  ///< later ones on top
  std::vector<ChartBound> bounds;
  std::vector<ChartBorderLine> borders;
  std::vector<ChartNote> notes;

  QString emptyText;  ///< in the middle, where there is no curve

  LegendPlace legend = LegendPlace::none;
  QString legendTitle;    ///< what differs between the curves: "reduction"
  bool smoothed = false;  ///< `line` is: the legend has a column for each
  bool cursorTag = true;  ///< x is shown in a tag on the axis
  double leftRoom = 0;    ///< at least that much left of the plot, so that stacked charts share one axis
  bool xLabels = true;    ///< the axis is labelled here, and not below another chart

  std::optional<double> cursor;
  std::vector<std::optional<CursorReading>> readings;  ///< one a curve; empty: read off the lines
};

/// A text of ui/charts marked with QT_TRANSLATE_NOOP("Chart", ...), in the language of the window.
inline QString chartText(const char* text) {
  return QCoreApplication::translate("Chart", text);
}
/// One with %n, marked with QT_TRANSLATE_N_NOOP.
inline QString chartText(const char* text, std::size_t count) {
  return QCoreApplication::translate("Chart", text, nullptr, static_cast<int>(count));
}

}  // namespace slipstream::ui
