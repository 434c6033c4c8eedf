// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
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
  std::string place = {};      ///< behind the names of figures, where a document has several of a kind
};
/// Compares the runs, the first one being the reference.
Result<ReportInput> reportInput(RunStore& store, const std::vector<RunRecord>& runs);

// variant_colours.cpp
/// The colour of each of these variants, the same in every report of the store: by its name, or the next that none of
/// the others has. The others are all variants of the experiment files and studies that any of the runs comes from,
/// whether they are among `labels` or not.
std::map<std::string, int> printColours(RunStore& store, const std::vector<RunRecord>& runs,
                                        const std::vector<std::string>& labels);
/// Gives the variants these colours.
void giveColours(const std::map<std::string, int>& colours, Comparison& comparison);

// report_summary.cpp: the result in sentences, and what the runs came to.
void addHeader(const ReportInput& input, ReportDocument& document);
void addStages(const ReportInput& input, ReportDocument& document);
void addResults(const ReportInput& input, ReportDocument& document);
/// The command lines of the runs, each once.
void addCommands(const ReportInput& input, ReportDocument& document);
// report_method.cpp
/// How the runs were compared, what was left out and what failed.
void addMethod(const ReportInput& input, ReportDocument& document);
// report_settings.cpp: what was asked, what the plan decided, and how to repeat it.
void addAsked(const ReportInput& input, ReportDocument& document);
void addDecisions(const ReportInput& input, ReportDocument& document);
void addSources(const ReportInput& input, ReportDocument& document);
// report_charts.cpp: curves, and what the algorithms did.
/// Of each metric that is compared, thinned to `columns`; those of one sample say nothing that tables do not.
std::vector<Figure> curveFigures(const ReportInput& input, int columns);
/// What their bands are, and what was left out of their lines.
Text noteOn(const std::vector<Figure>& curves);
void addCurves(const ReportInput& input, int columns, ReportDocument& document);
void addOrthogonality(const ReportInput& input, ReportDocument& document);
void addAlgorithms(const ReportInput& input, ReportDocument& document);
// report_resources.cpp: where memory and time went.
void addMemory(const ReportInput& input, ReportDocument& document);
void addTime(const ReportInput& input, ReportDocument& document);

Heading headingOf(const Variant& variant);
/// Letters, digits and "-" of a text, for the name of a file: "loss-scale-adasum". Other characters are left out.
std::string fileNameOf(const std::string& text);
/// What a machine was, one fact a row; as it was written where it cannot be read.
Block environmentBlock(const RunRecord& run);
/// "lenet5 on mnist, 60,000 training samples"
Text networkText(const RunPlan& plan);
/// "2 ranks, 1 thread a rank"
Text ranksText(const RunPlan& plan);

}  // namespace slipstream
