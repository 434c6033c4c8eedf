// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/report_formats.h"

#include <algorithm>
#include <cctype>

#include "engine/record/comparison.h"
#include "engine/record/report.h"
#include "engine/record/report_latex.h"

namespace slipstream {
namespace {

std::string suffixOf(const std::filesystem::path& output) {
  std::string suffix = output.extension().string();
  std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                 [](unsigned char letter) { return std::tolower(letter); });
  return suffix;
}

}  // namespace

Result<ReportFormat> reportFormatOf(const std::filesystem::path& output) {
  const std::string suffix = suffixOf(output);
  if (suffix == ".html" || suffix == ".htm") return ReportFormat::html;
  if (suffix == ".json") return ReportFormat::json;
  if (suffix == ".csv") return ReportFormat::csv;
  if (suffix == ".tex") return ReportFormat::tex;
  if (suffix == ".pdf") {
    return fail("output", output.string(), "is a PDF, which the command line does not draw",
                "write .html and print that page to a PDF from a browser, or save it from the window's Report page "
                "(slipstream-desktop, or ./run desktop in a checkout)");
  }
  return fail("output", output.string(), suffix.empty() ? "has no suffix" : "is of no known format",
              "end it in .html (the whole report), .json, .csv or .tex (the comparison)");
}

Result<std::string> reportIn(ReportFormat format, RunStore& store, const std::vector<RunRecord>& runs) {
  if (format == ReportFormat::html) return reportHtml(store, runs);
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  if (format == ReportFormat::json) return toJsonText(comparison) + "\n";
  return format == ReportFormat::csv ? toCsvText(comparison) : toLatexText(comparison);
}

}  // namespace slipstream
