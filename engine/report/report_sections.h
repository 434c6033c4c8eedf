// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/document/document.h"
#include "engine/plan/run_plan.h"
#include "engine/report/comparison_document.h"

namespace slipstream {

/// What the sections of a report are made from. Sections that have nothing to show add nothing.
struct ReportInput {
  RunStore& store;
  Comparison comparison;
  std::vector<RunPlan> plans;  ///< of the first run of each variant
};

// report_summary.cpp: the result in sentences, and what the runs came to.
void addHeader(const ReportInput& input, ReportDocument& document);
void addStages(const ReportInput& input, ReportDocument& document);
void addResults(const ReportInput& input, ReportDocument& document);
/// The command lines of the runs, each once.
void addCommands(const ReportInput& input, ReportDocument& document);
// report_settings.cpp: what was asked, what the plan decided, and how to repeat it.
void addAsked(const ReportInput& input, ReportDocument& document);
void addDecisions(const ReportInput& input, ReportDocument& document);
void addSources(const ReportInput& input, ReportDocument& document);
// report_charts.cpp: curves, and what the algorithms did.
void addCurves(const ReportInput& input, int columns, ReportDocument& document);
void addOrthogonality(const ReportInput& input, ReportDocument& document);
void addAlgorithms(const ReportInput& input, ReportDocument& document);
// report_resources.cpp: where memory and time went.
void addMemory(const ReportInput& input, ReportDocument& document);
void addTime(const ReportInput& input, ReportDocument& document);

Heading headingOf(const Variant& variant);
/// "lenet5 on mnist, 60,000 training samples"
Text networkText(const RunPlan& plan);
/// "2 ranks, 1 thread a rank"
Text ranksText(const RunPlan& plan);

}  // namespace slipstream
