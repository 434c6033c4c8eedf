// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/base/clock.h"
#include "engine/base/text.h"
#include "engine/paper/study_report.h"
#include "engine/study_results/study_document.h"

namespace slipstream {
namespace {

std::string namesOf(const std::vector<std::string>& names) {
  return join(names, "; ");
}

/// "parallel.ranks = 4, 8, 16"
std::string factorText(const StudyFactor& factor) {
  std::vector<std::string> values;
  for (const Json& value : factor.values) values.push_back(value.is_string() ? value.get<std::string>() : value.dump());
  return factor.key + " = " + join(values, ", ");
}

Text frozenText(const StudyReportInput& input) {
  const Text follows = input.verdict.study.follows.empty()
                           ? Text()
                           : phrase("It changes the question of the study {}.", {input.verdict.study.follows});
  return joined({phrase("The study {} was frozen on {}, before its first run: its question, variants, factors, seeds, "
                        "tuning, budget and base experiment. The SHA-256 of all that begins with {}.",
                        {input.record.name, frozenAt(input.record), input.record.frozenHash.substr(0, 16)}),
                 follows},
                " ");
}

Text questionText(const Study& study) {
  std::vector<Text> measures;
  for (const std::string& key : study.question.judged()) {
    const StudyMeasure* measure = findStudyMeasure(key);
    measures.push_back(measure == nullptr ? Text(key) : phrase(measure->name));
  }
  std::vector<Text> parts{phrase("Primary: {}.", {joined(std::move(measures), "; ")})};
  if (study.question.target) {
    parts.push_back(
        phrase("The target is an accuracy of {} %.", {fmt::format("{:.4g}", 100 * *study.question.target)}));
  }
  if (study.question.margin) {
    parts.push_back(phrase("Within ±{} (a share of 1 of accuracies and of times) two are the same.",
                           {fmt::format("{:.4g}", *study.question.margin)}));
  }
  return joined(std::move(parts), " ");
}

Text designText(const Study& study, const StudyRuns& runs) {
  std::vector<std::string> others, factors, seeds;
  for (const StudyVariant& variant : study.variants) {
    if (variant.name != study.reference) others.push_back(variant.name);
  }
  for (const StudyFactor& factor : study.factors) factors.push_back(factorText(factor));
  std::set<std::uint64_t> measured;
  for (const CellResult& cell : runs.cells()) {
    if (cell.cell.trial == 0) measured.insert(cell.cell.pair);
  }
  for (const std::uint64_t seed : measured) seeds.push_back(std::to_string(seed));
  Text compared = study.question.stages.empty()
                      ? phrase("{} is the reference of {}.", {study.reference, namesOf(others)})
                      : phrase("Stages of each run are compared: {}, the first being the reference.",
                               {namesOf(study.question.stages)});
  Text varied = factors.empty() ? Text() : phrase("Factors: {}.", {join(factors, "; ")});
  return joined({std::move(compared), std::move(varied),
                 phrase("Seeds {}, paired; the order of the variants turns around from seed to seed, so that a machine "
                        "that becomes slower on the way does so to all of them.",
                        {join(seeds, ", ")})},
                " ");
}

Text tuningText(const StudyVerdict& verdict) {
  std::vector<Text> parts;
  for (const StudyVariant& variant : verdict.study.variants) {
    const std::int64_t trials = verdict.study.trialsOf(variant.name);
    parts.push_back(phrase("{}: {}", {variant.name, countedText(trials, "trial")}));
  }
  const bool tuned = std::ranges::any_of(
      verdict.study.variants, [&](const StudyVariant& variant) { return verdict.study.trialsOf(variant.name) > 0; });
  if (!tuned) return phrase("No variant was tuned.");
  return phrase("Tuning, with a seed of its own, by the measure that is asked about: {}.",
                {joined(std::move(parts), ", ")});
}

Text failuresText(const StudyReportInput& input) {
  int failed = 0, deleted = 0, measured = 0;
  for (const CellResult& cell : input.runs.cells()) {
    if (cell.cell.trial > 0) continue;
    ++measured;
    failed += cell.end == CellEnd::failed ? 1 : 0;
    deleted += cell.end == CellEnd::deleted ? 1 : 0;
  }
  if (failed + deleted == 0) return phrase("No run failed and none was left out.");
  return phrase(
      "{} of {} failed and {} were deleted. A run that failed is an outcome: of what counts up to a target it never "
      "got there; of other measures its comparison is not judged, nor is one whose run was deleted, so that nobody "
      "gains by what is missing.",
      {std::to_string(failed), countedText(measured, "measured run"), std::to_string(deleted)});
}

}  // namespace

std::string frozenAt(const StudyRecord& record) {
  return wallText(record.createdAt).substr(0, 16) + " UTC";
}

std::optional<Table> failuresTable(const StudyReportInput& input) {
  Table table{.caption = phrase("Runs that failed, were deleted or could not begin."),
              .columns = {{.title = phrase("Variant")},
                          {.title = phrase("where")},
                          {.title = phrase("Seed"), .number = true},
                          {.title = phrase("Run")},
                          {.title = phrase("State")},
                          {.title = phrase("Why"), .prose = true}},
              .leftColumns = 2,
              .name = "failures"};
  for (const CellResult& cell : input.runs.cells()) {
    if (cell.end != CellEnd::failed && cell.end != CellEnd::deleted) continue;
    Text where = joined({textOf(settingsOf(cell.cell.factors)),
                         cell.cell.trial > 0 ? phrase("trial {}", {std::to_string(cell.cell.trial)}) : Text()},
                        ", ");
    table.rows.push_back({{.text = cell.cell.variant},
                          {.text = std::move(where)},
                          {.text = std::to_string(cell.cell.seed)},
                          {.text = cell.cell.run.empty() ? "–" : cell.cell.run},
                          {.text = cell.end == CellEnd::failed ? phrase("failed") : phrase("deleted"),
                           .tone = cell.end == CellEnd::failed ? Tone::bad : Tone::lost},
                          {.text = cell.run.why.empty() ? cell.cell.why : cell.run.why}});
  }
  return table.rows.empty() ? std::nullopt : std::optional(std::move(table));
}

void addStudyMethod(const StudyReportInput& input, ReportDocument& document) {
  const StudyVerdict& verdict = input.verdict;
  document.add(Heading{2, phrase("Method")});
  document.add(Paragraph{joined({frozenText(input), questionText(verdict.study)}, " ")});
  document.add(Paragraph{joined({designText(verdict.study, input.runs), tuningText(verdict)}, " ")});
  document.add(Paragraph{methodOf(verdict)});
  if (!verdict.secondary.empty()) document.add(Paragraph{secondaryText()});
  document.add(Paragraph{failuresText(input)});
}

}  // namespace slipstream
