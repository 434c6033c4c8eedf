#include <algorithm>
#include <cmath>
#include <map>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/record/html.h"
#include "engine/record/report_sections.h"
#include "engine/record/seed_bundle.h"
#include "engine/record/svg_chart.h"
#include "engine/record/svg_shapes.h"

namespace slipstream {
namespace {

constexpr double smoothing = 0.85;
constexpr std::size_t fewSamples = 64;  ///< below, every sample is a point and nothing is smoothed

SeedBundle bundleOf(const ReportInput& input, const Arm& arm, const std::string& metric, double factor) {
  std::vector<Series> all;
  for (const RunOutcome& outcome : arm.outcomes) {
    all.push_back(input.store.series(outcome.run.id, metric));
    for (double& value : all.back().values) value *= factor;
  }
  std::vector<const Series*> seeds;
  for (const Series& series : all) seeds.push_back(&series);
  return bundleOf(seeds);
}

void append(std::vector<Line>& lines, std::vector<Line> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// How one figure draws its curves.
struct Treatment {
  std::string metric;
  ChartWindow window;
  bool smooth = false;
  bool logarithmic = false;

  Series of(const Series& series) const { return smooth ? smoothed(series, smoothing) : series; }
  std::vector<Line> thin(const Series& series) const { return decimate(series, window, logarithmic); }
};

/// Stages do not go on where the one before ended: each is a line of its own, smoothed by itself.
ChartCurve curveOf(const SeedBundle& bundle, const Arm& arm, const Treatment& treatment) {
  ChartCurve curve;
  curve.label = arm.label;
  curve.colourSlot = arm.colourSlot;
  curve.points = bundle.mean.steps.size() < fewSamples;
  for (const StageOutcome& stage : arm.outcomes.front().stages) {
    const auto part = [&](const Series& series) { return seriesOfStage(series, treatment.metric, stage.stage); };
    const Series line = treatment.of(part(bundle.mean));
    append(curve.line, treatment.thin(line));
    for (const double value : line.values) {
      if (std::isfinite(value) && (!treatment.logarithmic || value > 0)) curve.last = value;
    }
    if (bundle.seeds > 1) {
      append(curve.lowest, treatment.thin(treatment.of(part(bundle.lowest))));
      append(curve.highest, treatment.thin(treatment.of(part(bundle.highest))));
    } else if (treatment.smooth) {
      append(curve.raw, treatment.thin(part(bundle.mean)));
    }
  }
  return curve;
}

/// Those of the first run that has stages.
std::vector<ChartBorder> bordersOf(const Comparison& comparison) {
  std::vector<ChartBorder> borders;
  for (const Arm& arm : comparison.arms) {
    if (!arm.staged()) continue;
    for (const StageOutcome& stage : arm.outcomes.front().stages) {
      borders.push_back({static_cast<double>(stage.stage.firstStep), stage.stage.name});
    }
    break;
  }
  return borders;
}

/// A log axis where all finite values are positive and span more than a decade.
bool fitsLogAxis(const std::vector<SeedBundle>& bundles) {
  double low = INFINITY;
  double high = 0;
  for (const SeedBundle& bundle : bundles) {
    for (const double value : bundle.mean.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return low > 0 && high > 10 * low;
}

struct Figure {
  std::string svg;
  std::string words;  ///< what was done to the numbers
};

Figure figureOf(const ReportInput& input, const std::string& metric, double factor) {
  std::vector<SeedBundle> bundles;
  Chart chart;
  chart.lastStep = 0;
  std::size_t longest = 0;
  std::size_t seeds = 0;
  for (const Arm& arm : input.comparison.arms) {
    bundles.push_back(bundleOf(input, arm, metric, factor));
    const Series& mean = bundles.back().mean;
    if (mean.steps.empty()) continue;
    longest = std::max(longest, mean.steps.size());
    seeds = std::max(seeds, bundles.back().seeds);
    chart.lastStep = std::max(chart.lastStep, static_cast<double>(mean.steps.back()));
  }
  if (longest == 0) return {};
  const bool smooth = metric == "loss" && longest >= fewSamples;
  chart.logarithmic = metric == "loss" && fitsLogAxis(bundles);
  if (metric == "accuracy" && input.comparison.targetAccuracy) chart.target = 100 * *input.comparison.targetAccuracy;
  if (metric == "accuracy") chart.upperLimit = 100;
  const Treatment treatment{metric, {0, chart.lastStep, 2 * chartColumns()}, smooth, chart.logarithmic};
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    chart.curves.push_back(curveOf(bundles[i], input.comparison.arms[i], treatment));
  }
  for (ChartBorder& border : bordersOf(input.comparison)) {
    if (border.step < chart.lastStep) chart.borders.push_back(std::move(border));
  }
  std::vector<std::string> words;
  if (metric == "accuracy") words.push_back("%");
  if (chart.logarithmic) words.push_back("log scale");
  if (smooth) words.push_back(fmt::format("smoothed {}", smoothing));
  if (seeds > 1) words.push_back(fmt::format("mean of {} seeds", seeds));
  return {svgOf(chart), join(words, ", ")};
}

std::string chartHtml(const char* title, const Figure& figure) {
  if (figure.svg.empty()) return "";
  return fmt::format("<div><h3>{}<small>{}</small></h3>{}</div>", title, escaped(figure.words), figure.svg);
}

/// The tensors of the network, in its order; others behind them.
std::vector<std::string> inNetworkOrder(std::vector<std::string> tensors, const RunPlan& plan) {
  const auto& layers = plan.experiment.network.layers;
  const auto layerOf = [&](const std::string& tensor) {
    const auto found = std::find_if(layers.begin(), layers.end(),
                                    [&](const LayerSpec& layer) { return startsWith(tensor, layer.name + "."); });
    return found - layers.begin();
  };
  std::stable_sort(tensors.begin(), tensors.end(), [&](const std::string& a, const std::string& b) {
    const auto first = layerOf(a);
    const auto second = layerOf(b);
    return first != second ? first < second : a > b;  // weights before biases
  });
  return tensors;
}

/// Means over equal stretches of the run; NaN where nothing was reported.
std::vector<double> binned(const Series& series, std::int64_t steps, std::size_t bins) {
  std::vector<double> sums(bins, 0.0);
  std::vector<int> counts(bins, 0);
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    if (!std::isfinite(series.values[i])) continue;
    const auto bin =
        std::min(bins - 1, static_cast<std::size_t>(series.steps[i]) * bins / static_cast<std::size_t>(steps));
    sums[bin] += series.values[i];
    ++counts[bin];
  }
  for (std::size_t i = 0; i < bins; ++i) sums[i] /= counts[i];
  return sums;
}

std::string orthogonalityOf(const ReportInput& input, const Arm& arm, const RunPlan& plan) {
  constexpr std::string_view prefix = "orthogonality/";
  const RunOutcome& outcome = arm.outcomes.front();
  std::vector<std::string> tensors;
  for (const std::string& metric : input.store.metricNames(outcome.run.id)) {
    if (startsWith(metric, prefix)) tensors.push_back(metric.substr(prefix.size()));
  }
  if (tensors.empty() || outcome.steps <= 0) return "";
  const auto bins = static_cast<std::size_t>(std::min<std::int64_t>(100, outcome.steps));
  std::vector<HeatRow> rows;
  for (const std::string& tensor : inNetworkOrder(tensors, plan)) {
    const Series series = input.store.series(outcome.run.id, std::string(prefix) + tensor);
    rows.push_back({tensor, binned(series, outcome.steps, bins)});
  }
  return fmt::format("<h3>{}<small>run {}</small></h3>{}", escaped(arm.label), outcome.run.id,
                     heatMap(rows, outcome.steps));
}

}  // namespace

std::string curvesSection(const ReportInput& input) {
  const std::string charts = chartHtml("Test accuracy", figureOf(input, "accuracy", 100)) +
                             chartHtml("Training loss", figureOf(input, "loss", 1));
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
