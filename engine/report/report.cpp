// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report.h"

#include <cctype>

#include "engine/base/files.h"
#include "engine/latex/latex_files.h"
#include "engine/report/report_sections.h"

namespace slipstream {
namespace {

constexpr int pageColumns = 1400, printColumns = 900;  ///< what curves are thinned to

void addSummary(const ReportInput& input, ReportDocument& document) {
  const Comparison& comparison = input.comparison;
  addHeader(input, document);
  addCurves(input, pageColumns, document);
  for (Table& table : comparedTables(comparison)) document.add(std::move(table));
  for (std::size_t i = 0; i < comparison.variants.size(); ++i) {
    if (auto table = comparedStagesTable(comparison, i)) document.add(std::move(*table));
  }
  if (comparison.variants.size() > 1) document.add(differencesTable(comparison));
  document.add(outcomesTable(comparison));
  if (Text method = methodText(comparison); !method.empty()) {
    document.add(Paragraph{std::move(method), Paragraph::Role::caption});
  }
  for (Text& remark : remarksOn(comparison)) document.add(Paragraph{std::move(remark), Paragraph::Role::caption});
  document.add(Heading{2, phrase("Repeat it")});
  addCommands(input, document);
}

ReportParts wholeOf(const ReportInput& input) {
  ReportParts parts;
  parts.front.title = titleOf(input.comparison);
  addHeader(input, parts.front);
  addStages(input, parts.front);
  addCurves(input, printColumns, parts.front);
  addResults(input, parts.front);
  addMethod(input, parts.method);
  for (const auto section : {addAsked, addDecisions, addOrthogonality, addAlgorithms, addMemory, addTime}) {
    section(input, parts.back);
  }
  parts.back.add(Heading{2, phrase("Repeat it")});
  addCommands(input, parts.back);
  addSources(input, parts.back);
  return parts;
}

std::string suffixOf(const std::filesystem::path& output) {
  std::string suffix = output.extension().string();
  for (char& letter : suffix) letter = static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  return suffix;
}

bool isComparison(const std::string& suffix) {
  return suffix == ".json" || suffix == ".csv" || suffix == ".tex";
}

Result<std::string> reportIn(const std::string& suffix, RunStore& store, const std::vector<RunRecord>& runs,
                             Language language, PaperSize size) {
  if (!isComparison(suffix)) {
    if (suffix != ".pdf") return reportHtml(store, runs, language);
    SLIPSTREAM_TRY(document, reportDocument(store, runs));
    return toPdf(document, language, size);
  }
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  if (suffix == ".json") return toJsonText(comparison) + "\n";
  return suffix == ".csv" ? toCsvText(comparison) : toLatex(comparisonDocument(comparison), language);
}

}  // namespace

Result<ReportInput> reportInput(RunStore& store, const std::vector<RunRecord>& runs) {
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  ReportInput input{store, std::move(comparison), {}};
  for (const Variant& variant : input.comparison.variants) {
    SLIPSTREAM_TRY(plan, planToShow(variant.outcomes.front().run.planText));
    input.plans.push_back(std::move(plan));
  }
  return input;
}

Result<ReportParts> reportParts(RunStore& store, const std::vector<RunRecord>& runs) {
  SLIPSTREAM_TRY(input, reportInput(store, runs));
  std::vector<std::string> labels;
  for (const Variant& variant : input.comparison.variants) labels.push_back(variant.label);
  giveColours(printColours(store, runs, labels), input.comparison);
  return wholeOf(input);
}

ReportDocument joined(const ReportParts& parts) {
  ReportDocument whole = parts.front;
  for (const ReportDocument* part : {&parts.method, &parts.back}) {
    whole.blocks.insert(whole.blocks.end(), part->blocks.begin(), part->blocks.end());
  }
  return whole;
}

Result<ReportDocument> reportDocument(RunStore& store, const std::vector<RunRecord>& runs, ReportExtent extent) {
  if (extent == ReportExtent::whole) {
    SLIPSTREAM_TRY(parts, reportParts(store, runs));
    return joined(parts);
  }
  SLIPSTREAM_TRY(input, reportInput(store, runs));
  ReportDocument document;
  document.title = titleOf(input.comparison);
  addSummary(input, document);
  return document;
}

Result<std::string> reportHtml(RunStore& store, const std::vector<RunRecord>& runs, Language language) {
  SLIPSTREAM_TRY(document, reportDocument(store, runs));
  return toHtml(document, language);
}

Status checkReportFile(const std::filesystem::path& output) {
  const std::string suffix = suffixOf(output);
  if (isComparison(suffix) || suffix == ".html" || suffix == ".htm" || suffix == ".pdf") return {};
  return fail("output", output.string(), suffix.empty() ? "has no suffix" : "is of no known format",
              "end it in .html or .pdf (the whole report), .json, .csv or .tex (the comparison), or in / for a folder "
              "that a paper is written from");
}

Status writeReport(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& output,
                   Language language, PaperSize size) {
  SLIPSTREAM_CHECK(checkReportFile(output));
  SLIPSTREAM_TRY(text, reportIn(suffixOf(output), store, runs, language, size));
  return writeFile(output, text);
}

}  // namespace slipstream
