// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_frame.h"

class QPainter;

namespace slipstream::ui {

// The legend: a table in a corner without curves, or one line in the title row, with what the cursor reads.

/// The picture's readings, or what the lines say at the cursor; without a cursor, at their ends. One a curve.
std::vector<std::optional<CursorReading>> readingsOf(const ChartPicture& picture);

/// Where the cursor of the picture stands once it is on a sample: on the one of any curve that is nearest to it.
std::optional<double> cursorOnSample(const ChartPicture& picture);

/// How the title row is shared: the title is whole, of what was done to the numbers stand as many parts as have room,
/// and the legend names as many curves.
struct TitleRow {
  QString treatment;
  std::size_t entries = 0;  ///< of the legend; the last ones make room for how many more there are
  double legendWidth = 0;
};
TitleRow titleRowOf(const ChartPicture& picture, double width);

void paintLegend(QPainter& painter, const ChartPicture& picture, const ChartFrame& frame, const QSizeF& size,
                 const std::vector<std::optional<CursorReading>>& readings);

}  // namespace slipstream::ui
