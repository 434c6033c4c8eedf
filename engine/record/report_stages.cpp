#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/report_sections.h"
#include "engine/record/stage_results.h"

namespace slipstream {
namespace {

std::string numberCell(const std::string& text) {
  return "<td class=\"number\">" + escaped(text) + "</td>";
}

/// The mean over runs, and from the lowest to the highest where there are several.
std::string valueCells(const std::vector<double>& values, Quantity quantity) {
  if (values.empty()) return "<td></td><td></td>";
  const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
  const auto [low, high] = std::minmax_element(values.begin(), values.end());
  const std::string spread =
      values.size() == 1 ? "" : quantityText(*low, quantity) + " … " + quantityText(*high, quantity);
  return numberCell(quantityText(mean, quantity)) + numberCell(spread);
}

/// Stages of one arm, over its runs.
class StageTable {
 public:
  StageTable(const ReportInput& input, const Arm& arm, const RunPlan& plan) : plan_(plan) {
    for (const RunOutcome& outcome : arm.outcomes) runs_.push_back(stageResults(input.store, outcome.run.id, plan));
  }

  std::string html() const {
    std::string rows;
    for (std::size_t i = 0; i < plan_.stages.size(); ++i) rows += row(i);
    return "<div class=\"scroll\"><table><thead><tr><th>Stage</th><th>starts from</th><th class=\"number\">updates</th>"
           "<th class=\"number\">Test accuracy, %</th><th class=\"number\">lowest … highest</th>"
           "<th class=\"number\">Test loss</th><th class=\"number\">lowest … highest</th><th class=\"number\">runs</th>"
           "</tr></thead><tbody>" +
           rows + "</tbody></table></div>";
  }

 private:
  std::string row(std::size_t index) const {
    const StagePlan& stage = plan_.stages[index];
    std::vector<double> accuracies;
    std::vector<double> losses;
    for (const auto& results : runs_) {
      if (results[index].accuracy) accuracies.push_back(100 * *results[index].accuracy);
      if (results[index].loss) losses.push_back(*results[index].loss);
    }
    return "<tr><td>" + escaped(stage.name) + "</td><td>" + escaped(startText(stage.start)) + "</td>" +
           numberCell(countText(stage.updates())) + valueCells(accuracies, Quantity::percent) +
           valueCells(losses, Quantity::loss) + numberCell(std::to_string(accuracies.size())) + "</tr>";
  }

  const RunPlan& plan_;
  std::vector<std::vector<StageResult>> runs_;
};

}  // namespace

std::string stagesSection(const ReportInput& input) {
  std::string tables;
  for (std::size_t i = 0; i < input.comparison.arms.size(); ++i) {
    if (input.plans[i].stages.empty()) continue;
    const Arm& arm = input.comparison.arms[i];
    tables += "<h3>" + armHead(arm) + "</h3>" + StageTable(input, arm, input.plans[i]).html();
  }
  if (tables.empty()) return "";
  return "<h2>Stages</h2>" + tables +
         "<p class=\"caption\">Each is judged on the whole evaluation set at its end; means over the runs that reached "
         "it.</p>";
}

}  // namespace slipstream
