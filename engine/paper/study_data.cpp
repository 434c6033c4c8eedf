// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/paper/study_report.h"

namespace slipstream {
namespace {

constexpr double hundredths = 100;

/// The stages whose results a row has: the last one, or those that are compared.
std::vector<std::string> stagesOfStudy(const Study& study) {
  return study.question.stages.empty() ? std::vector<std::string>{""} : study.question.stages;
}

std::string stateOf(const StudyReportInput& input, const CellResult& cell) {
  if (cell.cell.run.empty()) return cell.end == CellEnd::failed ? "failed" : "waiting";
  const auto state = input.store.stateOf(cell.cell.run);
  return state ? std::string(nameOf(*state)) : "deleted";
}

Cell loadCell(int load) {
  return load < 0 ? Cell{} : Cell{.number = load / hundredths};
}

}  // namespace

std::string cellsCsv(const StudyReportInput& input) {
  const Study& study = input.verdict.study;
  const bool staged = !study.question.stages.empty();
  Table table;
  for (const char* key :
       {"cell", "round", "variant", "pair", "seed", "trial", "state", "run", "why", "load_before", "load_after"}) {
    table.columns.push_back({.key = key});
  }
  for (const StudyFactor& factor : study.factors) table.columns.push_back({.key = factor.key});
  if (staged) table.columns.push_back({.key = "stage"});
  for (const StudyMeasure& measure : studyMeasures()) {
    table.columns.push_back({.key = measure.key});
    if (measure.countsToTarget) table.columns.push_back({.key = measure.key + "_reached"});
  }
  for (const CellResult& cell : input.runs.cells()) {
    const StudySettings factors = settingsOf(cell.cell.factors);
    for (const std::string& stage : stagesOfStudy(study)) {
      std::vector<Cell> row{{.text = std::to_string(cell.cell.cell)},
                            {.text = std::to_string(cell.cell.round)},
                            {.text = cell.cell.variant},
                            {.text = std::to_string(cell.cell.pair)},
                            {.text = std::to_string(cell.cell.seed)},
                            {.text = std::to_string(cell.cell.trial)},
                            {.text = stateOf(input, cell)},
                            {.text = cell.cell.run},
                            {.text = cell.run.why.empty() ? cell.cell.why : cell.run.why},
                            loadCell(cell.cell.loadBefore),
                            loadCell(cell.cell.loadAfter)};
      for (const StudyFactor& factor : study.factors) {
        const auto found = factors.find(factor.key);
        row.push_back({.text = found == factors.end()      ? ""
                               : found->second.is_string() ? found->second.get<std::string>()
                                                           : found->second.dump()});
      }
      if (staged) row.push_back({.text = stage});
      for (const StudyMeasure& measure : studyMeasures()) {
        const auto value = input.runs.valueOf(cell, measure, stage);
        // Shares of 1, as the metrics are.
        const double whole = measure.quantity == Quantity::percent ? hundredths : 1;
        row.push_back(value ? Cell{.number = value->value / whole} : Cell{});
        if (measure.countsToTarget) row.push_back({.text = !value ? "" : value->reached ? "1" : "0"});
      }
      table.rows.push_back(std::move(row));
    }
  }
  return toCsv(table);
}

}  // namespace slipstream
