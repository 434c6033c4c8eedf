// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/report/variant_charts.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include "engine/analysis/seed_band.h"
#include "engine/boost/metrics.h"
#include "engine/report/compared_accuracy.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {
namespace {

constexpr double chartSmoothing = 0.85;
constexpr std::size_t fewSamples = 64;  ///< below, every sample is a point and nothing is smoothed

SeedBand bundleOf(RunStore& store, const Variant& variant, const std::string& metric, double factor) {
  std::vector<Series> all;
  std::vector<std::string> damaged;  // the comparison's remarks tell
  for (const RunOutcome& outcome : variant.outcomes) {
    all.push_back(readIntactSeries(store, outcome.run.id, metric, damaged));
    for (double& value : all.back().values) value *= factor;
  }
  std::vector<SeriesOfSeed> runs;
  for (std::size_t i = 0; i < all.size(); ++i) runs.push_back({variant.outcomes[i].run.seed, &all[i]});
  return bundleBySeed(runs);
}

/// Where the steps of one variant are on the axis.
class StepPositions {
 public:
  StepPositions(RunStore& store, const Variant& variant, ChartX axis) : axis_(axis), variant_(variant) {
    if (axis != ChartX::relativeTime) return;
    const Series seconds = bundleOf(store, variant, metric::stepSeconds, 1).mean;
    double sum = 0;
    steps_ = seconds.steps;
    for (const double value : seconds.values) ends_.push_back(sum += value);
  }

  double of(std::int64_t step) const {
    if (axis_ == ChartX::step) return static_cast<double>(step);
    if (axis_ == ChartX::epoch) return epochs(step);
    const auto after = std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin();
    return after == 0 ? 0 : ends_[static_cast<std::size_t>(after) - 1];
  }

 private:
  /// Stages may have epochs of their own length: they follow one another.
  double epochs(std::int64_t step) const {
    double sum = 0;
    for (const StageOutcome& outcome : variant_.outcomes.front().stages) {
      const StagePlan& stage = outcome.stage;
      const std::int64_t within = std::clamp(step, stage.firstStep, stage.endStep) - stage.firstStep;
      sum += static_cast<double>(within) / static_cast<double>(std::max<std::int64_t>(1, stage.stepsPerEpoch));
    }
    return sum;
  }

  ChartX axis_;
  const Variant& variant_;
  std::vector<std::int64_t> steps_;
  std::vector<double> ends_;  ///< seconds when each of them was over
};

void append(std::vector<Line>& lines, std::vector<Line> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// How one chart draws its curves.
struct Treatment {
  std::string metric;
  VisibleRange range;
  bool smooth = false;
  bool logarithmic = false;

  Series of(const Series& series) const { return smooth ? smoothed(series, chartSmoothing) : series; }
  std::vector<Line> thin(const Series& series, const StepPositions& places) const {
    Line line;
    for (const std::int64_t step : series.steps) line.x.push_back(places.of(step));
    line.y = series.values;
    return decimate(line, range, logarithmic);
  }
};

/// Stages do not go on where the one before ended: each is a line of its own, smoothed by itself.
ChartCurve curveOf(const SeedBand& bundle, const Variant& variant, const StepPositions& places,
                   const Treatment& treatment) {
  ChartCurve curve;
  curve.label = variant.shownLabel();
  curve.colourSlot = variant.colourSlot;
  curve.points = bundle.mean.steps.size() < fewSamples;
  for (const StageOutcome& stage : variant.outcomes.front().stages) {
    const auto part = [&](const Series& series) { return seriesOfStage(series, treatment.metric, stage.stage); };
    append(curve.line, treatment.thin(treatment.of(part(bundle.mean)), places));
    if (bundle.seeds > 1) {
      append(curve.lowest, treatment.thin(treatment.of(part(bundle.lowest)), places));
      append(curve.highest, treatment.thin(treatment.of(part(bundle.highest)), places));
    } else if (treatment.smooth) {
      append(curve.raw, treatment.thin(part(bundle.mean), places));
    }
  }
  return curve;
}

/// Those of the first variant that has stages.
std::vector<ChartBorder> bordersOf(const Comparison& comparison, const std::vector<std::size_t>& drawn,
                                   const std::vector<StepPositions>& places) {
  std::vector<ChartBorder> borders;
  for (std::size_t i = 0; i < drawn.size(); ++i) {
    const Variant& variant = comparison.variants[drawn[i]];
    if (!variant.staged()) continue;
    for (const StageOutcome& stage : variant.outcomes.front().stages) {
      borders.push_back({places[i].of(stage.stage.firstStep), stage.stage.name});
    }
    break;
  }
  return borders;
}

/// A log axis where all finite values are positive and span more than a decade.
bool fitsLogAxis(const std::vector<SeedBand>& bundles) {
  double low = INFINITY;
  double high = 0;
  for (const SeedBand& bundle : bundles) {
    for (const double value : bundle.mean.values) {
      if (!std::isfinite(value)) continue;
      low = std::min(low, value);
      high = std::max(high, value);
    }
  }
  return low > 0 && high > 10 * low;
}

/// The first stage with a target.
const StageOutcome* stageWithTarget(const RunOutcome& outcome) {
  const auto found = std::find_if(outcome.stages.begin(), outcome.stages.end(), [](const StageOutcome& stage) {
    return stage.value(measure::stepsToTarget).has_value();
  });
  return found == outcome.stages.end() ? nullptr : &*found;
}

/// A measure of a stage on the axis; 0 where it was not taken.
double placeOf(const StageOutcome& stage, ChartX axis, double steps, const char* secondsKey) {
  if (axis == ChartX::step) return steps;
  if (axis == ChartX::epoch) {
    return steps / static_cast<double>(std::max<std::int64_t>(1, stage.stage.stepsPerEpoch));
  }
  return stage.value(secondsKey).value_or(0);
}

/// Where each seed reached the target: nothing where a run of it did not, as in comparisons; of several runs the mean.
std::vector<std::optional<double>> placesOfTarget(const Variant& variant, ChartX axis) {
  std::map<std::uint64_t, std::vector<std::optional<double>>> runsOf;
  for (const RunOutcome& outcome : variant.outcomes) {
    const StageOutcome* stage = stageWithTarget(outcome);
    if (!isComparable(outcome) || stage == nullptr) continue;
    const bool reached = stage->reachedTarget;
    runsOf[outcome.run.seed].push_back(
        reached ? std::optional(placeOf(*stage, axis, *stage->value(measure::stepsToTarget), measure::secondsToTarget))
                : std::nullopt);
  }
  std::vector<std::optional<double>> places;
  for (const auto& [seed, runs] : runsOf) {
    const bool all = std::ranges::all_of(runs, [](const std::optional<double>& run) { return run.has_value(); });
    double sum = 0;
    for (const std::optional<double>& run : runs) sum += run.value_or(0);
    places.push_back(all ? std::optional(sum / static_cast<double>(runs.size())) : std::nullopt);
  }
  return places;
}

/// Where the longest of its runs ended.
double endOf(const Variant& variant, ChartX axis) {
  double end = 0;
  for (const RunOutcome& outcome : variant.outcomes) {
    const StageOutcome* stage = stageWithTarget(outcome);
    if (!isComparable(outcome) || stage == nullptr) continue;
    end = std::max(end, placeOf(*stage, axis, static_cast<double>(stage->steps), measure::trainingSeconds));
  }
  return end;
}

/// Rises by one at each seed that reached the target; nothing where no run ended in order.
std::optional<ChartCurve> reachedCurve(const Variant& variant, ChartX axis) {
  const std::vector<std::optional<double>> seeds = placesOfTarget(variant, axis);
  if (seeds.empty()) return std::nullopt;
  std::vector<double> places;
  for (const std::optional<double>& seed : seeds) {
    if (seed) places.push_back(*seed);
  }
  std::sort(places.begin(), places.end());
  Line steps;
  const auto corner = [&](double x, std::size_t count) {
    steps.x.push_back(x);
    steps.y.push_back(static_cast<double>(count));
  };
  corner(0, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    corner(places[i], i);
    corner(places[i], i + 1);
  }
  corner(endOf(variant, axis), places.size());
  ChartCurve curve{.label = variant.shownLabel(), .colourSlot = variant.colourSlot, .line = {std::move(steps)}};
  const std::size_t never = seeds.size() - places.size();
  if (never > 0) curve.note = phrase("{} never", {std::to_string(never)});
  curve.censored = never > 0;
  return curve;
}

/// Of means with what reaches from the lowest value to the highest.
Text seedsText(std::size_t seeds) {
  return phrase("mean and range of {}", {countedText(static_cast<std::int64_t>(seeds), "seed")});
}

/// The same in few words, beside others.
Text rangeText(std::size_t seeds) {
  return phrase("range of {}", {countedText(static_cast<std::int64_t>(seeds), "seed")});
}

/// Unit, and what was done to the numbers.
Text treatmentText(std::string_view unit, const ChartModel& chart, const Treatment& treatment, std::size_t seeds) {
  std::vector<Text> parts;
  if (!unit.empty()) parts.emplace_back(unit);
  if (chart.logarithmic) parts.push_back(phrase("log"));
  if (treatment.smooth) parts.push_back(phrase("smoothed {}", {fmt::format("{}", chartSmoothing)}));
  if (seeds > 1) parts.push_back(treatment.smooth ? rangeText(seeds) : seedsText(seeds));
  return joined(std::move(parts), ", ");
}

/// "10 of 56 variants"; empty where all are drawn.
Text drawnText(const Comparison& comparison, const std::vector<std::size_t>& drawn) {
  if (drawn.size() == comparison.variants.size()) return {};
  return phrase("{} of {}", {std::to_string(drawn.size()), countedText(std::ssize(comparison.variants), "variant")});
}

double meanOf(const std::vector<double>& values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

/// The value that the metric has for each seed, rising; of several runs of one seed their mean.
std::vector<double> valuesOnce(RunStore& store, const Variant& variant, const std::string& metric, double factor) {
  std::map<std::uint64_t, std::vector<double>> valuesOf;
  std::vector<std::string> damaged;  // the comparison's remarks tell
  for (const RunOutcome& outcome : variant.outcomes) {
    const Series series = readIntactSeries(store, outcome.run.id, metric, damaged);
    if (series.values.empty() || !std::isfinite(series.values.back())) continue;
    valuesOf[outcome.run.seed].push_back(factor * series.values.back());
  }
  std::vector<double> values;
  for (const auto& [seed, runs] : valuesOf) values.push_back(meanOf(runs));
  std::ranges::sort(values);
  return values;
}

/// A dot for each seed over the name of its variant, a line from the lowest to the highest, a larger dot for the mean.
ChartCurve onceCurve(const Variant& variant, double place, const std::vector<double>& values) {
  ChartCurve curve{.label = variant.shownLabel(),
                   .colourSlot = variant.colourSlot,
                   .line = {Line{std::vector(values.size(), place), values}},
                   .points = true,
                   .largeEnd = values.size() > 1};
  if (values.size() > 1) curve.line.push_back({{place}, {meanOf(values)}});
  return curve;
}

/// Of a metric that every run has measured once: no curve over steps, but a column for each variant.
void drawOnce(RunStore& store, const Comparison& comparison, const std::vector<std::size_t>& drawn,
              const std::string& metric, const MetricInfo& info, ChartModel& chart) {
  chart.x = ChartX::number;
  chart.xName = phrase("variant");
  std::size_t seeds = 0;
  for (const std::size_t which : drawn) {
    const Variant& variant = comparison.variants[which];
    const std::vector<double> values = valuesOnce(store, variant, metric, info.factor);
    if (values.empty()) continue;
    seeds = std::max(seeds, values.size());
    const double place = static_cast<double>(chart.curves.size()) + 0.5;
    chart.xTicks.push_back({place, variant.shownLabel()});
    chart.curves.push_back(onceCurve(variant, place, values));
  }
  chart.last = static_cast<double>(chart.curves.size());
  chart.treatment = joined(
      {Text(info.unit), phrase("measured once"), seeds > 1 ? seedsText(seeds) : Text(), drawnText(comparison, drawn)},
      ", ");
}

}  // namespace

std::optional<ChartModel> metricChart(RunStore& store, const Comparison& comparison, const std::string& metric,
                                      ChartX axis, int columns) {
  const MetricInfo* info = findMetric(metric);
  if (info == nullptr) return std::nullopt;
  std::vector<SeedBand> bundles;
  std::vector<StepPositions> places;
  ChartModel chart{.title = phrase(info->title), .x = axis, .last = 0, .evenSteps = true};
  std::size_t longest = 0;
  std::size_t seeds = 0;
  const std::vector<std::size_t> drawn = drawnVariants(comparison);
  for (const std::size_t which : drawn) {
    const Variant& variant = comparison.variants[which];
    bundles.push_back(bundleOf(store, variant, metric, info->factor));
    places.emplace_back(store, variant, axis);
    const Series& mean = bundles.back().mean;
    if (mean.steps.empty()) continue;
    longest = std::max(longest, mean.steps.size());
    seeds = std::max(seeds, bundles.back().seeds);
    chart.last = std::max(chart.last, places.back().of(mean.steps.back()));
  }
  if (longest == 0) return std::nullopt;
  chart.logarithmic = info->mayBeLogarithmic && fitsLogAxis(bundles);
  if (info->hasTarget && comparison.targetAccuracy) {
    chart.bounds = {{info->factor * *comparison.targetAccuracy, phrase("target")}};
  }
  if (info->upperLimit > 0) chart.upperLimit = info->upperLimit;
  if (longest == 1) {
    chart.logarithmic = false;
    drawOnce(store, comparison, drawn, metric, *info, chart);
    return chart.curves.empty() ? std::nullopt : std::optional(std::move(chart));
  }
  chart.robust = info->varies;
  chart.settled = info->upperLimit > 0;
  const bool smooth = info->varies && longest >= fewSamples;
  const Treatment treatment{metric, {0, chart.last, columns}, smooth, chart.logarithmic};
  chart.treatment = joined({treatmentText(info->unit, chart, treatment, seeds), drawnText(comparison, drawn)}, ", ");
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    ChartCurve curve = curveOf(bundles[i], comparison.variants[drawn[i]], places[i], treatment);
    if (!curve.line.empty()) chart.curves.push_back(std::move(curve));
  }
  for (ChartBorder& border : bordersOf(comparison, drawn, places)) {
    if (border.x < chart.last) chart.borders.push_back(std::move(border));
  }
  return chart;
}

std::optional<ChartModel> reachedChart(const Comparison& comparison, ChartX axis) {
  ChartModel chart{.x = axis, .last = 1e-9, .evenSteps = true, .wholeNumbers = true};
  std::size_t most = 0;
  for (const std::size_t which : drawnVariants(comparison)) {
    const Variant& variant = comparison.variants[which];
    auto curve = reachedCurve(variant, axis);
    if (!curve) continue;
    most = std::max(most, placesOfTarget(variant, axis).size());
    chart.last = std::max(chart.last, curve->line.front().x.back());
    chart.curves.push_back(std::move(*curve));
  }
  if (chart.curves.empty()) return std::nullopt;
  chart.title = phrase("Seeds that reached {} %", {fmt::format("{:.4g}", 100 * comparison.targetAccuracy.value_or(1))});
  chart.treatment = phrase("of {}", {std::to_string(most)});
  chart.range = std::pair(0.0, static_cast<double>(most));  // so that seeds that are missing are seen
  return chart;
}

}  // namespace slipstream
