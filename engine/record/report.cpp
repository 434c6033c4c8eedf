// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/report.h"

#include <cstdint>
#include <set>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/record/html.h"
#include "engine/record/report_formats.h"
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

/// FNV-1a (Fowler, Noll, Vo), which is the same everywhere.
std::uint32_t hashOf(const std::string& text) {
  std::uint32_t hash = 2166136261U;
  for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
  return hash;
}

/// A variant has the same colour in every report, by its name; a later one of a report takes the next that is free.
void giveFixedColours(std::vector<Arm>& arms) {
  constexpr int colours = 10;
  std::set<int> taken;
  for (Arm& arm : arms) {
    int slot = static_cast<int>((hashOf(arm.label) >> 8) % colours);
    // More variants than colours: the next round is told apart by its dashes.
    for (int tries = 1; taken.contains(slot); ++tries) {
      slot = slot / colours * colours + (slot + 1) % colours;
      if (tries % colours == 0) slot += colours;
    }
    taken.insert(slot);
    arm.colourSlot = slot;
  }
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
  giveFixedColours(input.comparison.arms);
  std::string body;
  for (const auto section : {headSection, stagesSection, curvesSection, resultsSection, askedSection, decisionsSection,
                             orthogonalitySection, algorithmsSection, memorySection, timeSection, repeatSection}) {
    body += section(input);
  }
  return fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"/>"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/><title>{}</title><style>\n{}</style>"
      "</head>\n<body><main><header class=\"brand\">{}Slipstream report</header>\n{}\n</main></body></html>\n",
      escaped(titleOf(input)), reportStyle, icon(), body);
}

Status writeReport(RunStore& store, const std::vector<RunRecord>& runs, const std::filesystem::path& output) {
  SLIPSTREAM_TRY(format, reportFormatOf(output));
  SLIPSTREAM_TRY(text, reportIn(format, store, runs));
  return writeFile(output, text);
}

}  // namespace slipstream
