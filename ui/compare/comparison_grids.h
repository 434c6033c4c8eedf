// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/parts/cell_grid.h"

namespace slipstream::ui {

// A comparison as tables: the numbers and the names of measures are the engine's.

/// One row a parameter, one column an arm; `all`: those that are equal too.
CellGrid differencesGrid(const Comparison& comparison, bool all);

/// A table and what it is called.
struct JudgedGrid {
  QString title;
  CellGrid cells;
};
/// All differences that are judged: each variant beside the reference, then the stages of each variant side by side.
/// Those of which nothing is paired are left out.
std::vector<JudgedGrid> judgedGrids(const Comparison& comparison);

/// The runs one by one, their stages one below the other.
CellGrid outcomesGrid(const Comparison& comparison);

/// "Paired by seed, n = 3"
QString pairedTitle(const ComparedArm& compared);
/// "better", "no claim (n < 3)", "no difference shown (±1.2)": with the smallest difference that would have been shown.
QString verdictWord(const ComparedMeasure& measure);
QString measureName(const Measure& measure);

}  // namespace slipstream::ui
