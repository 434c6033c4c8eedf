// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/report_sections.h"
#include "engine/record/stage_text.h"

namespace slipstream {
namespace {

/// The mean over runs, and from the lowest to the highest where there are several.
std::string valueCells(const std::vector<double>& values, Quantity quantity) {
  if (values.empty()) return "<td></td><td></td>";
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::string spread =
      values.size() == 1 ? "" : quantityText(*low, quantity) + " … " + quantityText(*high, quantity);
  return numberCell(quantityText(mean, quantity)) + numberCell(spread);
}

/// What a measure came to at the end of the stage, in the runs that reached it.
std::vector<double> valuesAtEnd(const Arm& arm, std::size_t stage, const std::string& measure) {
  std::vector<double> values;
  for (const RunOutcome& outcome : arm.outcomes) {
    const StageOutcome& own = outcome.stages.at(stage);
    const auto value = own.measured.find(measure);
    if (own.ended() && value != own.measured.end()) values.push_back(value->second);
  }
  return values;
}

std::string stageRow(const Arm& arm, std::size_t index) {
  const StagePlan& stage = arm.outcomes.front().stages.at(index).stage;
  const auto accuracies = valuesAtEnd(arm, index, "accuracy");
  return "<tr><td>" + escaped(stage.name) + "</td><td>" + escaped(startText(stage)) + "</td>" +
         numberCell(countText(stage.updates())) + valueCells(accuracies, Quantity::percent) +
         valueCells(valuesAtEnd(arm, index, "test_loss"), Quantity::loss) +
         numberCell(fmt::format("{} of {}", accuracies.size(), arm.outcomes.size())) + "</tr>";
}

std::string stageTable(const Arm& arm) {
  std::string rows;
  for (std::size_t i = 0; i < arm.outcomes.front().stages.size(); ++i) rows += stageRow(arm, i);
  return "<div class=\"scroll\"><table><caption>Stages of " + escaped(arm.label) +
         ", judged on the whole evaluation set at their ends; means over the runs that reached "
         "them.</caption><thead><tr>"
         "<th>Stage</th><th>starts from</th><th class=\"number\">updates</th>"
         "<th class=\"number\">Test accuracy, %</th><th class=\"number\">lowest … highest</th>"
         "<th class=\"number\">Test loss</th><th class=\"number\">lowest … highest</th>"
         "<th class=\"number\">runs</th></tr></thead><tbody>" +
         rows + "</tbody></table></div>";
}

}  // namespace

std::string stagesSection(const ReportInput& input) {
  std::string tables;
  const std::vector<Arm>& arms = input.comparison.arms;
  for (std::size_t i = 0; i < arms.size(); ++i) {
    if (!arms[i].staged()) continue;
    tables += "<h3>" + armHead(arms[i]) + "</h3>" + stageTable(arms[i]) + comparedStagesTable(input.comparison, i);
  }
  if (tables.empty()) return "";
  return "<h2>Stages</h2>" + tables;
}

}  // namespace slipstream
