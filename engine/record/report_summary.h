#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/record/arm_figure.h"
#include "engine/record/comparison.h"

namespace slipstream {

/// What stands above a report: the result in words and what it is about.
struct ReportHead {
  std::string title;  ///< "Adasum against averaged on 8 ranks"
  std::string lead;   ///< sentences with the markup of HTML: <strong>
  std::vector<std::pair<std::string, std::string>> facts;
};

/// A report as values, for those who draw it themselves.
struct ReportSummary {
  ReportHead head;
  Comparison comparison;
  ArmFigure accuracy, loss;
  std::vector<std::string> commands;  ///< that repeat the runs
};

/// The first run's arm is the reference. `columns` as of figureOf.
Result<ReportSummary> summarizeReport(RunStore& store, const std::vector<RunRecord>& runs, int columns);

}  // namespace slipstream
