#pragma once

#include <vector>

#include "ui/charts/chart_frame.h"
#include "ui/charts/chart_lines.h"

namespace slipstream::ui {

/// The lines of a picture as strokes: all raw ones, then the full ones, so that none hides behind another's noise.
std::vector<Stroke> strokesOf(const ChartPicture& picture, const ChartFrame& frame);

/// The outline of each piece of a curve's band.
std::vector<QPolygonF> bandsOf(const LineCurve& curve, const ChartFrame& frame);

}  // namespace slipstream::ui
