// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/report_summary.h"

#include "engine/record/report_sections.h"

namespace slipstream {

Result<ReportSummary> summarizeReport(RunStore& store, const std::vector<RunRecord>& runs, int columns) {
  SLIPSTREAM_TRY(input, reportInput(store, runs));
  ReportSummary summary;
  summary.plan = input.plans.front();
  summary.accuracy = figureOf(store, input.comparison, "accuracy", FigureAxis::step, columns);
  summary.loss = figureOf(store, input.comparison, "loss", FigureAxis::step, columns);
  summary.commands = commandsOf(input.comparison);
  summary.comparison = std::move(input.comparison);
  return summary;
}

}  // namespace slipstream
