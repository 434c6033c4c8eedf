// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/shown_chart.h"

class QPainter;

namespace slipstream::ui {

// The legend: a table in a corner without curves, one line in the title row, or labels at the ends of the lines, with
// what the cursor reads.

/// The model's readings, or what the lines say at the cursor; without a cursor, at their ends. One a curve.
std::vector<std::optional<CursorReading>> readingsOf(const ShownChart& model);

/// The position of the cursor moved to the nearest sample of any curve.
std::optional<double> cursorOnSample(const ShownChart& model);

/// How the title row is shared: the title is whole, as many parts of the treatment are shown as fit,
/// and the legend names as many curves.
struct TitleRow {
  QString treatment;
  std::size_t entries = 0;  ///< of the legend; the last ones make room for how many more there are
  double legendWidth = 0;
};
TitleRow titleRowOf(const ShownChart& model, double width);

void paintLegend(QPainter& painter, const ShownChart& model, const ChartLayout& frame, const QSizeF& size,
                 const std::vector<std::optional<CursorReading>>& readings);

}  // namespace slipstream::ui
