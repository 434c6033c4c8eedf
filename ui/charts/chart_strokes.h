// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "ui/charts/chart_frame.h"
#include "ui/charts/chart_lines.h"

namespace slipstream::ui {

/// The raw lines of a picture, which stand behind all full ones, so that none of those hides behind another's noise.
std::vector<Stroke> rawStrokesOf(const ChartPicture& picture, const ChartFrame& frame);
std::vector<Stroke> fullStrokesOf(const ChartPicture& picture, const ChartFrame& frame);

/// The outline of each piece of a curve's band.
std::vector<QPolygonF> bandsOf(const LineCurve& curve, const ChartFrame& frame);

}  // namespace slipstream::ui
