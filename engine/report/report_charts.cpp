// SPDX-License-Identifier: GPL-3.0-or-later
// The curves of the runs, and what Adasum, dimension reduction, gradient freezing and loss scaling did where they ran.
#include <algorithm>
#include <cctype>
#include <numeric>

#include <fmt/format.h>

#include "engine/analysis/layer_maps.h"
#include "engine/base/text.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/document/chart_layout.h"
#include "engine/document/drawing.h"
#include "engine/report/report_sections.h"
#include "engine/report/variant_charts.h"

namespace slipstream {
namespace {

constexpr std::int64_t mapColumns = 100;

/// Every curve has one sample at most: the tables say all of it.
bool isOnePoint(const ChartModel& chart) {
  return std::ranges::all_of(
      chart.curves, [](const ChartCurve& curve) { return curve.line.size() == 1 && curve.line.front().x.size() <= 1; });
}

StepColumns columnsOf(const RunOutcome& outcome) {
  return {0, outcome.steps, static_cast<std::size_t>(std::min(mapColumns, outcome.steps))};
}

/// "loss-scale-adasum-ranks-8"
std::string nameOf(const ReportInput& input, const char* kind, const std::string& label = "") {
  return fileNameOf(join({kind, label, input.place}, " "));
}

std::optional<Figure> orthogonalityFigure(const ReportInput& input, const Variant& variant, const RunPlan& plan) {
  const RunOutcome& outcome = variant.outcomes.front();
  if (outcome.steps <= 0) return std::nullopt;
  auto rows = orthogonalityMap(input.store, outcome.run.id, plan, columnsOf(outcome));
  if (rows.empty()) return std::nullopt;
  return Figure{HeatMap{std::move(rows), outcome.steps},
                phrase("Orthogonality by layer of {}, run {}.", {variant.label, outcome.run.id}),
                nameOf(input, "orthogonality", variant.label)};
}

/// One bar a direction of the space.
std::optional<Figure> varianceFigure(const ReportInput& input, const Variant& variant, const RunPlan&) {
  const RunOutcome& outcome = variant.outcomes.front();
  const std::vector<double> shares = explainedVariance(input.store, outcome.run.id);
  if (shares.empty()) return std::nullopt;
  constexpr std::size_t most = 12;
  BarChart chart;
  for (std::size_t i = 0; i < std::min(most, shares.size()); ++i) {
    chart.bars.push_back({phrase("direction {}", {std::to_string(i + 1)}),
                          {{shares[i], runColour(variant.colourSlot)}},
                          fmt::format("{:.1f} %", 100 * shares[i])});
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  return Figure{std::move(chart),
                phrase("Share of the snapshots' variance that each direction of dim_reduce explains in {}, run {}; {} "
                       "together explain {} %.",
                       {variant.label, outcome.run.id, countedText(std::ssize(shares), "direction"),
                        fmt::format("{:.1f}", 100 * sum)}),
                nameOf(input, "explained-variance", variant.label)};
}

std::optional<Figure> freezeFigure(const ReportInput& input, const Variant& variant, const RunPlan& plan) {
  const RunOutcome& outcome = variant.outcomes.front();
  if (outcome.steps <= 0) return std::nullopt;
  auto timeline = freezeTimeline(input.store, outcome.run.id, plan, columnsOf(outcome));
  if (!timeline) return std::nullopt;
  return Figure{HeatMap{std::move(timeline->rows), outcome.steps},
                phrase("When grad_freeze trained which layers of {}, run {}: 1 where every step of a column did. {} % "
                       "of the steps left layers out.",
                       {variant.label, outcome.run.id, fmt::format("{:.0f}", 100 * timeline->frozenSteps)}),
                nameOf(input, "frozen-layers", variant.label)};
}

/// The scale over the steps, on a log axis, because it is doubled and halved.
std::optional<Figure> lossScaleFigure(const ReportInput& input, const Variant& variant, const RunPlan&) {
  const RunOutcome& outcome = variant.outcomes.front();
  const Series scale = input.store.series(outcome.run.id, metric::lossScale);
  if (scale.steps.empty()) return std::nullopt;
  ChartModel chart{.title = phrase("Loss scale"),
                   .treatment = phrase("log scale"),
                   .last = static_cast<double>(scale.steps.back()),
                   .logarithmic = true};
  ChartCurve curve{.label = variant.label, .colourSlot = variant.colourSlot};
  constexpr int columns = 900;
  curve.line = decimate(scale, {0, chart.last, columns}, true);
  chart.curves.push_back(std::move(curve));
  const auto skipped = skippedSteps(input.store, outcome.run.id);
  return Figure{std::move(chart),
                phrase("Loss scale of {}, run {}, log scale; {} skipped.",
                       {variant.label, outcome.run.id, countedText(std::ssize(skipped), "update")}),
                nameOf(input, "loss-scale", variant.label)};
}

using FigureOf = std::optional<Figure> (*)(const ReportInput&, const Variant&, const RunPlan&);

/// A heading and a figure of each variant that has one; of one whose values are damaged, a remark.
void addFigures(const ReportInput& input, const Text& title, FigureOf figureOf, const Text& explanation,
                ReportDocument& document) {
  std::vector<Block> blocks;
  for (std::size_t i = 0; i < input.comparison.variants.size(); ++i) {
    const Variant& variant = input.comparison.variants[i];
    try {
      if (auto figure = figureOf(input, variant, input.plans[i])) blocks.emplace_back(std::move(*figure));
    } catch (const StoreDamaged& damage) {
      blocks.emplace_back(Paragraph{variant.label + ": " + damage.what(), Paragraph::Role::remark});
    }
  }
  if (blocks.empty()) return;
  document.add(Heading{2, title});
  for (Block& block : blocks) document.add(std::move(block));
  if (!explanation.empty()) document.add(Paragraph{explanation, Paragraph::Role::caption});
}

}  // namespace

std::string fileNameOf(const std::string& text) {
  std::string name;
  for (const char letter : text) {
    const auto byte = static_cast<unsigned char>(letter);
    if (byte < 0x80 && std::isalnum(byte) != 0) {
      name += static_cast<char>(std::tolower(byte));
    } else if (!name.empty() && name.back() != '-') {
      name += '-';
    }
  }
  while (name.ends_with('-')) name.pop_back();
  return name;
}

std::vector<Figure> curveFigures(const ReportInput& input, int columns) {
  std::vector<Figure> figures;
  for (const char* metric : comparedMetrics) {
    auto chart = metricChart(input.store, input.comparison, metric, ChartX::step, columns);
    if (!chart || isOnePoint(*chart)) continue;
    Text caption =
        chart->treatment.empty() ? phrase("{}.", {chart->title}) : phrase("{}: {}.", {chart->title, chart->treatment});
    figures.push_back({std::move(*chart), std::move(caption), nameOf(input, metric)});
  }
  return figures;
}

Text noteOn(const std::vector<Figure>& curves) {
  const auto hasBand = [](const ChartCurve& curve) { return !curve.lowest.empty(); };
  std::vector<Text> sentences;
  if (std::ranges::any_of(curves, [&](const Figure& figure) {
        return std::ranges::any_of(std::get<ChartModel>(figure.image).curves, hasBand);
      })) {
    sentences.push_back(phrase("A band reaches from the lowest seed to the highest."));
  }
  sentences.push_back(phrase("Of every pixel column the first, last, lowest and highest sample are drawn."));
  return joined(std::move(sentences), " ");
}

void addCurves(const ReportInput& input, int columns, ReportDocument& document) {
  const std::vector<Figure> figures = curveFigures(input, columns);
  if (figures.empty()) return;
  document.add(Heading{2, phrase("Curves")});
  for (const Figure& figure : figures) document.add(figure);
  document.add(Paragraph{joined({phrase("x axis: {}.", {axisName(ChartX::step)}), noteOn(figures)}, " "),
                         Paragraph::Role::caption});
}

void addOrthogonality(const ReportInput& input, ReportDocument& document) {
  addFigures(
      input, phrase("Orthogonality by layer"), orthogonalityFigure,
      phrase("Squared length of what Adasum made of the ranks, over the sum of theirs: 1 where they are "
             "orthogonal and add up, 1 divided by the number of ranks where they are parallel and are averaged."),
      document);
}

void addAlgorithms(const ReportInput& input, ReportDocument& document) {
  addFigures(input, phrase("Space of dimension reduction"), varianceFigure, {}, document);
  addFigures(input, phrase("Frozen layers"), freezeFigure, {}, document);
  addFigures(input, phrase("Loss scale"), lossScaleFigure, {}, document);
}

}  // namespace slipstream
