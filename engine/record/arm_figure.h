// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/record/comparison.h"
#include "engine/record/svg_chart.h"

namespace slipstream {

// The curves of compared runs, prepared once for reports and for the window.

/// What the curves run over. Seconds are those of training, a step standing where the arm's seeds stood on average.
enum class FigureAxis { step, epoch, seconds };

/// One metric of all arms.
struct ArmFigure {
  Chart chart;            ///< one curve an arm that has the metric; `lastStep` in units of the axis
  bool smooth = false;    ///< by `figureSmoothing`
  std::size_t seeds = 0;  ///< of the arm that has the most

  bool empty() const { return chart.curves.empty(); }
};
inline constexpr double figureSmoothing = 0.85;

/// `columns`: device pixels across the plot. Losses get a log axis where they span more than a decade, and are smoothed
/// where there are many; accuracies are in percent.
ArmFigure figureOf(RunStore& store, const Comparison& comparison, const std::string& metric, FigureAxis axis,
                   int columns);

/// How many seeds of an arm had reached the target by then: rises by one at each.
struct ReachedCurve {
  std::string label;
  int colourSlot = 0;
  Line steps;             ///< with its corners, from 0 to where the runs ended
  std::size_t runs = 0;   ///< that ended in order
  std::size_t never = 0;  ///< of them
};

/// Of the first stage of each run that has a target; empty where none has.
std::vector<ReachedCurve> reachedCurves(const Comparison& comparison, FigureAxis axis);

}  // namespace slipstream
