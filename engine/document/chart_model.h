// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/curve_plan.h"
#include "engine/document/text.h"
#include "engine/store/series.h"

namespace slipstream {

/// One curve, thinned already.
struct ChartCurve {
  std::string label = {};
  Text note = {};  ///< behind the label: what the curve does not show
  int colourSlot = 0;
  std::vector<Line> raw = {};                   ///< thin, behind
  std::vector<Line> line = {};                  ///< in full colour
  std::vector<Line> lowest = {}, highest = {};  ///< a band behind the line; empty where there is none
  bool points = false;                          ///< every sample has a dot
  bool censored = false;                        ///< it would have gone on
  double last = 0;                              ///< its last value

  Text name() const { return note.empty() ? Text(label) : joined({label, note}, ", "); }
};

/// Where a stage of the run begins.
struct ChartBorder {
  double x = 0;
  std::string name;
};

/// A horizontal dashed line with a word.
struct ChartBound {
  double value = 0;
  Text text;
};

/// All that a chart shows.
struct ChartModel {
  Text title = {};
  Text treatment = {};  ///< unit and what was done to the numbers
  ChartX x = ChartX::step;
  double last = 1;  ///< x at the right edge; 0 is at the left one
  bool logarithmic = false;
  std::optional<double> upperLimit = {};  ///< that values cannot pass
  bool wholeNumbers = false;              ///< values are counts: no ticks between
  std::vector<ChartBound> bounds = {};
  std::vector<ChartBorder> borders = {};  ///< rising
  std::vector<ChartCurve> curves = {};
};

}  // namespace slipstream
