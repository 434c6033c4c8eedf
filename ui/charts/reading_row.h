// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/shown_chart.h"

namespace slipstream::ui {

// The row below the title of a chart without a legend: what its first curves are worth at the cursor, or at their ends.

double readingRowHeight();
void paintReadingRow(QPainter& painter, const ShownChart& model, const QSizeF& size,
                     const std::vector<std::optional<CursorReading>>& readings);

}  // namespace slipstream::ui
