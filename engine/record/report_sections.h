// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/record/comparison.h"

namespace slipstream {

/// What stands above a report: the result in words and what it is about.
struct ReportHead {
  std::string title;  ///< "Adasum against averaged on 8 ranks"
  std::string lead;   ///< sentences with the markup of HTML: <strong>
  std::vector<std::pair<std::string, std::string>> facts;
};

/// What the parts of a report are made from. Parts that have nothing to show are empty.
struct ReportInput {
  RunStore& store;
  Comparison comparison;
  std::vector<RunPlan> plans;  ///< of the first run of each arm
};

/// Reads what a report needs; the first run's arm is the reference.
Result<ReportInput> reportInput(RunStore& store, const std::vector<RunRecord>& runs);

// report_head.cpp: the result in words, and what was asked.
std::string titleOf(const ReportInput& input);
ReportHead headOf(const ReportInput& input);
/// The command lines of the runs, each once.
std::vector<std::string> commandsOf(const Comparison& comparison);
std::string headSection(const ReportInput& input);
std::string askedSection(const ReportInput& input);
std::string repeatSection(const ReportInput& input);
// report_curves.cpp: curves and the map of orthogonality.
std::string curvesSection(const ReportInput& input);
std::string orthogonalitySection(const ReportInput& input);
// report_algorithms.cpp: explained variance, frozen layers and loss scale, of runs that have them.
std::string algorithmsSection(const ReportInput& input);
// report_tables.cpp: results, and what ran.
/// The stages of one variant against each other; empty where it has none that can be compared.
std::string comparedStagesTable(const Comparison& comparison, std::size_t arm);
std::string resultsSection(const ReportInput& input);
std::string decisionsSection(const ReportInput& input);
// report_stages.cpp: the stages of a run side by side.
std::string stagesSection(const ReportInput& input);
// report_resources.cpp: where memory and time went.
std::string memorySection(const ReportInput& input);
std::string timeSection(const ReportInput& input);

/// With its first letter large.
std::string capitalized(std::string text);
/// A heading cell of an arm: its colour and its label.
std::string armHead(const Arm& arm);

}  // namespace slipstream
