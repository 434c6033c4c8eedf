#include "engine/record/report.h"

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/record/html.h"
#include "engine/record/report_resources.h"
#include "engine/record/report_sections.h"

namespace slipstream {
namespace {

/// The icon drawn at 18 pixels.
std::string icon() {
  std::string svg(reportIcon);
  svg.replace(svg.find("<svg"), 4, "<svg width=\"18\" height=\"18\"");
  return svg;
}

}  // namespace

Result<ReportInput> reportInput(RunStore& store, const std::vector<RunRecord>& runs) {
  SLIPSTREAM_TRY(comparison, compareRuns(store, runs));
  ReportInput input{store, std::move(comparison), {}};
  for (const Arm& arm : input.comparison.arms) {
    SLIPSTREAM_TRY(plan, parseRunPlan(arm.outcomes.front().run.planText));
    input.plans.push_back(std::move(plan));
  }
  return input;
}

Result<std::string> reportHtml(RunStore& store, const std::vector<RunRecord>& runs) {
  SLIPSTREAM_TRY(input, reportInput(store, runs));
  std::string body;
  for (const auto section : {headSection, stagesSection, curvesSection, resultsSection, askedSection, decisionsSection,
                             orthogonalitySection, memorySection, timeSection, repeatSection}) {
    body += section(input);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>{}</title><style>\n{}</style>"
      "</head>\n<body><main><header class=\"brand\">{}Slipstream report</header>\n{}\n</main></body></html>\n",
      escaped(titleOf(input)), reportStyle, icon(), body);
}

Status writeReport(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& output) {
  SLIPSTREAM_TRY(html, reportHtml(store, runs));
  return writeFile(output, html);
}

}  // namespace slipstream
