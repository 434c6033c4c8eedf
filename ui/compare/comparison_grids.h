#pragma once

#include "ui/parts/cell_grid.h"

namespace slipstream::ui {

// A comparison as tables: the numbers and the names of measures are the engine's.

/// One row a parameter, one column an arm; `all`: those that are equal too.
CellGrid differencesGrid(const Comparison& comparison, bool all);

/// The measures of one arm beside the reference, paired by seed.
CellGrid comparedGrid(const Comparison& comparison, const ComparedArm& compared);

/// The runs one by one, their stages one below the other.
CellGrid outcomesGrid(const Comparison& comparison);

/// "Paired by seed, n = 3"
QString pairedTitle(const ComparedArm& compared);
QString verdictWord(ComparisonVerdict verdict);
QString measureName(const Measure& measure);

}  // namespace slipstream::ui
