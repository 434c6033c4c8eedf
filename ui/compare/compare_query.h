// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/record/arm_figure.h"

namespace slipstream::ui {

/// What the compare page asks of the store.
struct CompareQuery {
  std::vector<std::string> runs;  ///< ids; a pinned one among them becomes the first
  FigureAxis axis = FigureAxis::step;
  int columns = 1000;
  bool operator==(const CompareQuery&) const = default;
};

struct CompareAnswer {
  Comparison comparison;
  ArmFigure accuracy, loss;
  std::vector<ReachedCurve> reached;
  Failures failures;  ///< where there are some, nothing else is
};

/// The records of runs that are still there, the pinned one before the others.
std::vector<RunRecord> runsToCompare(RunStore& store, const std::vector<std::string>& ids);

CompareAnswer answer(RunStore& store, const CompareQuery& query);

}  // namespace slipstream::ui
