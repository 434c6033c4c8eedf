// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/analysis/curve_plan.h"
#include "engine/record/series.h"
#include "engine/spec/text.h"

namespace slipstream {

/// One curve over any axis, thinned already (engine/record/series.h): a chart draws every sample that it gets.
struct ChartCurve {
  std::string label = {};
  Text note = {};  ///< behind the label: what the curve does not show
  int colourSlot = 0;
  std::vector<Line> raw = {};                   ///< thin and pale, behind; empty where `line` is it
  std::vector<Line> line = {};                  ///< in full colour
  std::vector<Line> lowest = {}, highest = {};  ///< a band behind the line, piece by piece; empty: none
  std::vector<double> gaps = {};                ///< x of samples that are no numbers: each has a mark
  bool points = false;                          ///< every sample has a dot
  bool ideal = false;                           ///< no measurement: thin, dashed, in the colour of bounds
  bool largeEnd = false;                        ///< the last sample has a larger dot: more will come, or a mean
  bool censored = false;                        ///< two upright ticks at its end: it would have gone on

  Text name() const { return note.empty() ? Text(label) : joined({label, note}, ", "); }
  /// The last value; nothing where there is none.
  std::optional<double> last() const;
};

/// Where a stage of the run begins.
struct ChartBorder {
  double x = 0;
  std::string name;
};

/// A place of the x axis with its text.
struct ChartTick {
  double x = 0;
  std::string text;
};

/// A horizontal dashed line with a text: a target, a bound.
struct ChartBound {
  double value = 0;
  Text text;
};

/// All that a chart shows.
struct ChartModel {
  Text title = {};
  Text treatment = {};  ///< unit and what was done to the numbers: "%, log scale, smoothed 0.85"
  ChartX x = ChartX::step;
  double first = 0;                    ///< x at the left edge
  double last = 1;                     ///< x at the right edge
  Text xName = {};                     ///< what the x axis counts, where that is none of `x`
  std::vector<ChartTick> xTicks = {};  ///< in place of round values
  bool logarithmicX = false;
  bool evenSteps = false;  ///< of a whole run: a few equal parts are labelled where its last step allows it
  bool logarithmic = false;
  std::optional<double> upperLimit = {};                ///< that values cannot pass: 100 %
  bool wholeNumbers = false;                            ///< values are counts: no ticks between
  std::optional<std::pair<double, double>> range = {};  ///< of the y axis, where it is known or asked for
  /// Few values that lie far from all others do not stretch the y axis; the farthest of them have marks at its ends.
  bool robust = false;
  /// A rise or fall at the beginning of the curves does not stretch the y axis either, where that would be twice as
  /// long or more for it.
  bool settled = false;
  std::vector<ChartBound> bounds = {};
  std::vector<ChartBorder> borders = {};  ///< rising
  std::vector<ChartCurve> curves = {};    ///< later ones on top
};

}  // namespace slipstream
