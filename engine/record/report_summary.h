// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/record/arm_figure.h"
#include "engine/record/comparison.h"

namespace slipstream {

/// A report as values, for those who draw it themselves.
struct ReportSummary {
  RunPlan plan;  ///< of the reference's first run
  Comparison comparison;
  ArmFigure accuracy, loss;
  std::vector<std::string> commands;  ///< that repeat the runs
};

/// The first run's arm is the reference. `columns` as of figureOf.
Result<ReportSummary> summarizeReport(RunStore& store, const std::vector<RunRecord>& runs, int columns);

}  // namespace slipstream
