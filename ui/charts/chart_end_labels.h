// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/charts/chart_frame.h"

class QPainter;

namespace slipstream::ui {

/// Swatch, label and value of each curve at the right, beside where its line ends; none over another.
void paintEndLabels(QPainter& painter, const ChartPicture& picture, const ChartFrame& frame,
                    const std::vector<std::optional<CursorReading>>& readings);

}  // namespace slipstream::ui
