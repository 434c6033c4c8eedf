// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/record/chart_scale.h"
#include "engine/record/series.h"

namespace slipstream {

/// One curve of a chart over steps, thinned already.
struct ChartCurve {
  std::string label;  ///< at the line's end, with the last value
  int colourSlot = 0;
  std::vector<Line> raw;     ///< thin, behind
  std::vector<Line> line;    ///< in full colour
  std::vector<Line> lowest;  ///< band behind the line, empty where there is none
  std::vector<Line> highest;
  bool points = false;  ///< every sample has a dot
  double last = 0;      ///< where the label stands
};

/// Where a stage of the run begins.
struct ChartBorder {
  double step = 0;
  std::string name;
};

struct Chart {
  double lastStep = 1;
  bool logarithmic = false;
  std::optional<double> target;      ///< a dashed line with the word
  std::optional<double> upperLimit;  ///< that values cannot pass
  std::vector<ChartBorder> borders;  ///< rising
  std::vector<ChartCurve> curves;
};

/// Device pixels of a chart's plotting area: what series are thinned to.
int chartColumns();

/// The chart as an inline SVG: horizontal grid, one axis below, labels at the lines' ends.
std::string svgOf(const Chart& chart);

}  // namespace slipstream
