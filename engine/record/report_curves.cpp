// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/arm_figure.h"
#include "engine/record/html.h"
#include "engine/record/layer_maps.h"
#include "engine/record/report_sections.h"

namespace slipstream {
namespace {

struct Figure {
  std::string svg;
  std::string words;  ///< what was done to the numbers
};

/// Every curve has one sample at most: the tables say all of it.
bool isOnePoint(const Chart& chart) {
  return std::all_of(chart.curves.begin(), chart.curves.end(), [](const ChartCurve& curve) {
    return curve.line.empty() || (curve.line.size() == 1 && curve.line.front().x.size() <= 1);
  });
}

Figure drawn(const ReportInput& input, const std::string& metric) {
  const ArmFigure figure = figureOf(input.store, input.comparison, metric, FigureAxis::step, 2 * chartColumns());
  if (figure.empty() || isOnePoint(figure.chart)) return {};
  std::vector<std::string> words;
  if (metric == "accuracy") words.push_back("%");
  if (figure.chart.logarithmic) words.push_back("log scale");
  if (figure.smooth) words.push_back(fmt::format("smoothed {}", figureSmoothing));
  if (figure.seeds > 1) words.push_back(fmt::format("mean of {} seeds", figure.seeds));
  return {svgOf(figure.chart), join(words, ", ")};
}

std::string chartHtml(const char* title, const Figure& figure) {
  if (figure.svg.empty()) return "";
  return fmt::format("<figure>{}<figcaption>{}{}.</figcaption></figure>", figure.svg, title,
                     figure.words.empty() ? "" : ": " + escaped(figure.words));
}

std::string orthogonalityOf(const ReportInput& input, const Arm& arm, const RunPlan& plan) {
  const RunOutcome& outcome = arm.outcomes.front();
  if (outcome.steps <= 0) return "";
  const auto columns = static_cast<std::size_t>(std::min<std::int64_t>(100, outcome.steps));
  const auto part = [&](const std::string& content) {
    return fmt::format("<figure>{}<figcaption>Orthogonality by layer of {}, run {}.</figcaption></figure>", content,
                       escaped(arm.label), outcome.run.id);
  };
  try {
    const auto rows = orthogonalityMap(input.store, outcome.run.id, plan, {0, outcome.steps, columns});
    return rows.empty() ? "" : part(heatMap(rows, outcome.steps));
  } catch (const StoreDamaged& damage) {
    return part("<p class=\"remark\">" + escaped(damage.what()) + "</p>");
  }
}

}  // namespace

std::string curvesSection(const ReportInput& input) {
  const std::string charts =
      chartHtml("Test accuracy", drawn(input, "accuracy")) + chartHtml("Training loss", drawn(input, "loss"));
  if (charts.empty()) return "";
  return "<h2>Curves</h2><div class=\"charts\">" + charts +
         "</div><p class=\"caption\">A band reaches from the lowest seed to the highest. Thinned to the width of the "
         "figure; the first, last, lowest and highest sample of "
         "every pixel column are kept.</p>";
}

std::string orthogonalitySection(const ReportInput& input) {
  std::string maps;
  for (std::size_t i = 0; i < input.comparison.arms.size(); ++i) {
    maps += orthogonalityOf(input, input.comparison.arms[i], input.plans[i]);
  }
  if (maps.empty()) return "";
  return "<h2>Orthogonality by layer</h2>" + maps +
         "<p class=\"caption\">Squared length of what Adasum made of the ranks, over the sum of theirs: 1 where they "
         "are orthogonal and add up, 1 divided by the number of ranks where they are parallel and are averaged.</p>";
}

}  // namespace slipstream
