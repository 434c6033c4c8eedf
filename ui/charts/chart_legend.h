#pragma once

#include "ui/charts/chart_frame.h"

class QPainter;

namespace slipstream::ui {

// The legend: a table in a corner without curves, or one line in the title row, with what the cursor reads.

/// The picture's readings, or what the lines say at the cursor; without a cursor, at their ends. One a curve.
std::vector<std::optional<CursorReading>> readingsOf(const ChartPicture& picture);

/// What the legend takes of the title row.
double titleLegendWidth(const ChartPicture& picture);

void paintLegend(QPainter& painter, const ChartPicture& picture, const ChartFrame& frame, const QSizeF& size,
                 const std::vector<std::optional<CursorReading>>& readings);

}  // namespace slipstream::ui
