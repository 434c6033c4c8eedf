// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/report.h"

#include <cctype>
#include <set>

#include "engine/analysis/run_colours.h"
#include "engine/base/files.h"
#include "engine/report/report_sections.h"

namespace slipstream {
namespace {

constexpr int pageColumns = 1400, printColumns = 900;  ///< what curves are thinned to

/// FNV-1a (Fowler, Noll, Vo), which is the same everywhere.
std::uint32_t hashOf(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return hash;
}

/// A later variant of a report takes the next colour that is free.
void giveFixedColours(std::vector<Variant>& variants) {
  std::set<int> taken;
  for (Variant& variant : variants) {
    int slot = static_cast<int>((hashOf(variant.label) >> 8) % runColourCount);
    // More variants than colours: the next round is told apart by its dashes.
    for (int tries = 1; taken.contains(slot); ++tries) {
      slot = slot / runColourCount * runColourCount + (slot + 1) % runColourCount;
      if (tries % runColourCount == 0) slot += runColourCount;
    }
    taken.insert(slot);
    variant.colourSlot = slot;
  }
}

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

void addWhole(const ReportInput& input, ReportDocument& document) {
  addHeader(input, document);
  addStages(input, document);
  addCurves(input, printColumns, document);
  for (const auto section : {addResults, addAsked, addDecisions, addOrthogonality, addAlgorithms, addMemory, addTime}) {
    section(input, document);
  }
  document.add(Heading{2, phrase("Repeat it")});
  addCommands(input, document);
  addSources(input, document);
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
                             Language language) {
  if (!isComparison(suffix)) {
    if (suffix != ".pdf") return reportHtml(store, runs, language);
    SLIPSTREAM_TRY(document, reportDocument(store, runs));
    return toPdf(document, language);
  }
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  if (suffix == ".json") return toJsonText(comparison) + "\n";
  return suffix == ".csv" ? toCsvText(comparison) : toLatex(comparisonDocument(comparison), language);
}

}  // namespace

Result<ReportDocument> reportDocument(RunStore& store, const std::vector<RunRecord>& runs, ReportExtent extent) {
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  ReportInput input{store, std::move(comparison), {}};
  for (const Variant& variant : input.comparison.variants) {
    SLIPSTREAM_TRY(plan, parseRunPlan(variant.outcomes.front().run.planText));
    input.plans.push_back(std::move(plan));
  }
  ReportDocument document;
  document.title = titleOf(input.comparison);
  if (extent == ReportExtent::whole) giveFixedColours(input.comparison.variants);
  (extent == ReportExtent::whole ? addWhole : addSummary)(input, document);
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
              "end it in .html or .pdf (the whole report), .json, .csv or .tex (the comparison)");
}

Status writeReport(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& output,
                   Language language) {
  SLIPSTREAM_CHECK(checkReportFile(output));
  SLIPSTREAM_TRY(text, reportIn(suffixOf(output), store, runs, language));
  return writeFile(output, text);
}

}  // namespace slipstream
