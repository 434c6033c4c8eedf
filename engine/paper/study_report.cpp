// SPDX-License-Identifier: GPL-3.0-or-later
// The report of a study: the answer, the tables and figures that it is from, what was not shown, and the setting.
#include "engine/paper/study_report.h"

#include <algorithm>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "engine/base/characters.h"
#include "engine/base/text.h"
#include "engine/paper/paper.h"
#include "engine/report/stage_text.h"
#include "engine/store/environment.h"
#include "engine/study_results/study_document.h"

namespace slipstream {
namespace {

constexpr int printColumns = 900;      ///< what curves are thinned to
constexpr std::size_t mostClaims = 6;  ///< in the sentence; the tables have all
constexpr std::size_t longTitle = 56;  ///< letters, above which variants are counted

/// The judged runs that were measured with these factors and ended in order, those of the reference first.
std::vector<RunRecord> doneRuns(const StudyReportInput& input, const StudySettings& factors) {
  std::vector<RunRecord> runs;
  for (const StudyVariant& variant : input.verdict.study.variants) {
    for (const auto& [pair, cell] : input.judged.measured(variant.name, storedForm(factors))) {
      if (cell->outcome) runs.push_back(cell->run);
    }
  }
  return runs;
}

/// The first run of the reference that ended in order, else of any variant.
const CellResult* exampleOf(const StudyReportInput& input) {
  const CellResult* example = nullptr;
  for (const CellResult& cell : input.runs.cells()) {
    if (!cell.outcome || cell.cell.trial > 0) continue;
    if (cell.cell.variant == input.verdict.study.reference) return &cell;
    if (example == nullptr) example = &cell;
  }
  return example;
}

void colourRows(const std::map<std::string, int>& colours, Table& table) {
  for (std::vector<Cell>& row : table.rows) {
    for (Cell& cell : row) {
      const auto found = colours.find(cell.text.in());
      if (found == colours.end()) continue;
      cell.swatch = found->second;
      break;
    }
  }
}

Text titleOf(const Study& study) {
  if (study.control > 0) return phrase("{} against itself", {study.reference});
  if (!study.question.stages.empty()) return phrase("Stages of {}", {study.name});
  std::vector<Text> others;
  for (const StudyVariant& variant : study.variants) {
    if (variant.name != study.reference) others.emplace_back(variant.name);
  }
  const auto count = std::ssize(others);
  Text named = phrase("{} against {}", {joined(std::move(others), ", "), study.reference});
  if (characterCount(named.in()) <= longTitle) return named;
  return phrase("{} against {}", {countedText(count, "variant"), study.reference});
}

bool allCameToTheSame(const StudyVerdict& verdict) {
  const auto differs = [&](const StudyComparison& one) { return one.verdict != verdict.comparisons.front().verdict; };
  return std::ranges::none_of(verdict.comparisons, differs);
}

/// How many comparisons came to what is in the first words already where the study goes on, or all came to the same.
Text answerOf(const StudyVerdict& verdict) {
  Text sentence = sentenceOf(verdict, mostClaims);
  return goesOn(verdict) || allCameToTheSame(verdict) ? sentence
                                                      : joined({std::move(sentence), summaryOf(verdict)}, " ");
}

void addAnswer(const StudyReportInput& input, ReportDocument& document) {
  const StudyVerdict& verdict = input.verdict;
  document.title = phrase("Study {}", {verdict.study.name});
  document.mark = phrase("study {}, question {}, frozen {}",
                         {verdict.study.name, verdict.hash.substr(0, 8), frozenAt(input.record)});
  document.add(Heading{1, titleOf(verdict.study)});
  document.add(Paragraph{answerOf(verdict), Paragraph::Role::lead});
  for (const Text& badge : verdict.badges) document.add(Paragraph{badge, Paragraph::Role::remark});
}

void addTables(const StudyReportInput& input, ReportDocument& document) {
  document.add(Heading{2, phrase("Results")});
  for (Table& table : comparisonTables(input.verdict)) {
    colourRows(input.colours, table);
    document.add(std::move(table));
  }
  document.add(Paragraph{methodOf(input.verdict), Paragraph::Role::caption});
  if (input.verdict.judged > 1) {
    document.add(Paragraph{phrase("Each interval holds by itself: that all of them hold together is not claimed."),
                           Paragraph::Role::caption});
  }
  for (Text& score : profileTexts(input.verdict)) document.add(Paragraph{std::move(score), Paragraph::Role::caption});
}

void addDoubts(const StudyReportInput& input, ReportDocument& document) {
  const StudyVerdict& verdict = input.verdict;
  document.add(Heading{2, phrase("What was not shown, and what failed")});
  std::vector<Text> doubts = doubtsOf(verdict);
  if (doubts.empty()) doubts.push_back(phrase("Every comparison has shown something."));
  for (Text& doubt : doubts) document.add(Paragraph{std::move(doubt)});
  auto failures = failuresTable(input);
  if (failures) {
    colourRows(input.colours, *failures);
    document.add(std::move(*failures));
  } else {
    document.add(Paragraph{phrase("No run failed, and none was deleted.")});
  }
  for (const Text& remark : verdict.remarks) document.add(Paragraph{remark, Paragraph::Role::caption});
}

void addSecondary(const StudyReportInput& input, ReportDocument& document) {
  auto table = secondaryTable(input.verdict);
  if (!table) return;
  document.add(Heading{2, phrase("Secondary measures")});
  document.add(Paragraph{secondaryText()});
  colourRows(input.colours, *table);
  document.add(std::move(*table));
  if (Text why = withoutIntervalText(input.verdict); !why.empty()) {
    document.add(Paragraph{std::move(why), Paragraph::Role::caption});
  }
}

Status addFigures(const StudyReportInput& input, ReportDocument& document) {
  std::vector<Figure> figures = reachedFigures(input);
  for (Figure& figure : factorFigures(input)) figures.push_back(std::move(figure));
  if (!figures.empty()) document.add(Heading{2, phrase("Figures")});
  for (Figure& figure : figures) document.add(std::move(figure));
  std::vector<Figure> all;
  for (const StudySettings& factors : combinationsOf(input.verdict.study)) {
    const std::vector<RunRecord> runs = doneRuns(input, factors);
    if (runs.empty()) continue;
    SLIPSTREAM_TRY(report, reportInput(input.store, runs));
    giveColours(input.colours, report.comparison);
    report.place = textOf(factors);
    const std::vector<Figure> curves = curveFigures(report, printColumns);
    if (curves.empty()) continue;
    if (all.empty()) document.add(Heading{2, phrase("Curves")});
    if (!report.place.empty()) document.add(Heading{3, report.place});
    for (const Figure& figure : curves) document.add(figure);
    all.insert(all.end(), curves.begin(), curves.end());
  }
  if (!all.empty()) {
    document.add(
        Paragraph{joined({phrase("Of the runs that ended in order."), noteOn(all)}, " "), Paragraph::Role::caption});
  }
  return {};
}

/// What the algorithms did, where they ran: of the last combination of factors that has runs.
Status addInside(const StudyReportInput& input, ReportDocument& document) {
  std::vector<StudySettings> combinations = combinationsOf(input.verdict.study);
  std::ranges::reverse(combinations);
  for (const StudySettings& factors : combinations) {
    const std::vector<RunRecord> runs = doneRuns(input, factors);
    if (runs.empty()) continue;
    SLIPSTREAM_TRY(report, reportInput(input.store, runs));
    giveColours(input.colours, report.comparison);
    report.place = textOf(factors);
    for (const auto section : {addOrthogonality, addAlgorithms, addTime}) section(report, document);
    return {};
  }
  return {};
}

/// "Linux 6.1.0 x86_64, g++ 12.2.0, Open MPI 4.1.4, oneDNN 2.6.0"
std::string factOf(const std::string& environment, std::string_view name) {
  for (const auto& [key, value] : environmentFacts(environment)) {
    if (key == name) return value;
  }
  return "–";
}

double trainedSeconds(const StudyRuns& runs) {
  double seconds = 0;
  for (const CellResult& cell : runs.cells()) seconds += cell.outcome ? cell.outcome->trainingSeconds() : 0;
  return seconds;
}

/// The kernel counts in units of 1024 bytes and calls them kB.
std::string memoryOf(const std::string& environmentText) {
  std::string stored = factOf(environmentText, "memory");
  const auto end = stored.find(" kB");
  const auto kibibytes = end == std::string::npos ? std::nullopt : parseInteger(stored.substr(0, end));
  return kibibytes ? sizeText(*kibibytes * 1024) : stored;
}

void addSetting(const StudyReportInput& input, ReportDocument& document) {
  const Study& study = input.verdict.study;
  document.add(Heading{2, phrase("Setting")});
  KeyValues values;
  if (const CellResult* example = exampleOf(input)) {
    const StagePlan stage = stagesOf(example->plan).front();
    values.rows = {{phrase("Network and data"), networkText(example->plan)},
                   {phrase("Ranks of the first run"), ranksText(example->plan)},
                   {phrase("Length"), lengthText(stage, example->plan.ranks())},
                   {phrase("Optimizer"), optimizerText(stage)},
                   {phrase("Machine"), phrase("{}, {} cores, {}", {factOf(example->run.environmentText, "processor"),
                                                                   factOf(example->run.environmentText, "cores"),
                                                                   memoryOf(example->run.environmentText)})},
                   {phrase("Software"), joined({factOf(example->run.environmentText, "versions"),
                                                factOf(example->run.environmentText, "system")},
                                               ", ")}};
  }
  values.rows.emplace_back(phrase("Base experiment"), study.base.filename().string());
  values.rows.emplace_back(phrase("Cost"), phrase("{}, {} of training", {countedText(input.verdict.finished, "run"),
                                                                         durationText(trainedSeconds(input.runs))}));
  document.add(std::move(values));
  if (auto tuning = tuningTable(input.verdict)) document.add(std::move(*tuning));
}

void addRepeat(const StudyReportInput& input, ReportDocument& document) {
  document.add(Heading{2, phrase("Repeat it")});
  const std::filesystem::path file = input.record.file;
  document.add(Listing{"slipstream study run " + (file.empty() ? input.record.name : file.filename().string()), true});
  document.add(Heading{2, phrase("Environment")});
  std::set<std::string> seen;
  for (const CellResult& cell : input.runs.cells()) {
    if (cell.run.environmentText.empty() || !seen.insert(cell.run.environmentText).second) continue;
    document.add(environmentBlock(cell.run));
  }
  if (seen.empty()) document.add(Paragraph{phrase("No run has ended yet.")});
}

}  // namespace

Result<ReportParts> studyParts(const StudyReportInput& input) {
  ReportParts parts;
  addAnswer(input, parts.front);
  addTables(input, parts.front);
  addDoubts(input, parts.front);
  SLIPSTREAM_CHECK(addFigures(input, parts.front));
  addSecondary(input, parts.front);
  addStudyMethod(input, parts.method);
  addSetting(input, parts.back);
  SLIPSTREAM_CHECK(addInside(input, parts.back));
  addRepeat(input, parts.back);
  return parts;
}

}  // namespace slipstream
