// SPDX-License-Identifier: GPL-3.0-or-later
// What dimension reduction, gradient freezing and loss scaling did, where they ran.
#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/layer_maps.h"
#include "engine/record/report_sections.h"
#include "engine/record/series.h"
#include "engine/record/svg_chart.h"

namespace slipstream {
namespace {

constexpr std::size_t mapColumns = 100;

std::string figureHtml(const std::string& drawing, const std::string& caption) {
  return "<figure>" + drawing + "<figcaption>" + escaped(caption) + "</figcaption></figure>";
}

/// One bar a direction of the space.
std::string varianceHtml(const ReportInput& input, const Arm& arm, const RunPlan&) {
  const RunOutcome& outcome = arm.outcomes.front();
  const std::vector<double> shares = explainedVariance(input.store, outcome.run.id);
  if (shares.empty()) return "";
  constexpr std::size_t most = 12;
  std::vector<Bar> bars;
  for (std::size_t i = 0; i < std::min(most, shares.size()); ++i) {
    bars.push_back({fmt::format("direction {}", i + 1),
                    {{shares[i], runColour(arm.colourSlot)}},
                    fmt::format("{:.1f} %", 100 * shares[i])});
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  return figureHtml(
      stackedBars(bars),
      fmt::format("Share of the snapshots' variance that each direction of dim_reduce explains in {}, run "
                  "{}; {} together explain {:.1f} %.",
                  arm.label, outcome.run.id, counted(std::ssize(shares), "direction"), 100 * sum));
}

std::string freezeHtml(const ReportInput& input, const Arm& arm, const RunPlan& plan) {
  const RunOutcome& outcome = arm.outcomes.front();
  if (outcome.steps <= 0) return "";
  const auto columns = std::min(mapColumns, static_cast<std::size_t>(outcome.steps));
  const auto timeline = freezeTimeline(input.store, outcome.run.id, plan, {0, outcome.steps, columns});
  if (!timeline) return "";
  return figureHtml(heatMap(timeline->rows, outcome.steps),
                    fmt::format("When grad_freeze trained which layers of {}, run {}: 1 where every step of a column "
                                "did. {:.0f} % of the steps left layers out.",
                                arm.label, outcome.run.id, 100 * timeline->frozenSteps));
}

/// The scale over the steps, on a log axis, because it is doubled and halved.
std::string lossScaleHtml(const ReportInput& input, const Arm& arm, const RunPlan&) {
  const RunOutcome& outcome = arm.outcomes.front();
  const Series scale = input.store.series(outcome.run.id, "loss_scale");
  if (scale.steps.empty()) return "";
  Chart chart;
  chart.lastStep = static_cast<double>(scale.steps.back());
  chart.logarithmic = true;
  ChartCurve curve;
  curve.label = arm.label;
  curve.colourSlot = arm.colourSlot;
  curve.line = decimate(scale, {0, chart.lastStep, 2 * chartColumns()}, true);
  curve.last = scale.values.back();
  chart.curves.push_back(std::move(curve));
  const auto skipped = skippedSteps(input.store, outcome.run.id);
  return figureHtml(svgOf(chart), fmt::format("Loss scale of {}, run {}, log scale; {} skipped.", arm.label,
                                              outcome.run.id, counted(std::ssize(skipped), "update")));
}

using Drawing = std::string (*)(const ReportInput&, const Arm&, const RunPlan&);

std::string drawnOf(const ReportInput& input, Drawing draw, const char* classes) {
  std::string figures;
  for (std::size_t i = 0; i < input.comparison.arms.size(); ++i) {
    const Arm& arm = input.comparison.arms[i];
    try {
      figures += draw(input, arm, input.plans[i]);
    } catch (const StoreDamaged& damage) {
      figures += "<p class=\"remark\">" + escaped(arm.label + ": " + damage.what()) + "</p>";
    }
  }
  return figures.empty() ? "" : fmt::format("<div class=\"{}\">{}</div>", classes, figures);
}

std::string sectionOf(const ReportInput& input, const char* title, Drawing draw, const char* classes = "maps") {
  const std::string figures = drawnOf(input, draw, classes);
  return figures.empty() ? "" : fmt::format("<h2>{}</h2>{}", title, figures);
}

}  // namespace

std::string algorithmsSection(const ReportInput& input) {
  return sectionOf(input, "Space of dimension reduction", varianceHtml) +
         sectionOf(input, "Frozen layers", freezeHtml) + sectionOf(input, "Loss scale", lossScaleHtml, "charts");
}

}  // namespace slipstream
