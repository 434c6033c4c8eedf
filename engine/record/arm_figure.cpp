// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/arm_figure.h"

#include <algorithm>
#include <cmath>

#include "engine/record/seed_bundle.h"
#include "engine/record/sound_values.h"

namespace slipstream {
namespace {

constexpr std::size_t fewSamples = 64;  ///< below, every sample is a point and nothing is smoothed

SeedBundle bundleOf(RunStore& store, const Arm& arm, const std::string& metric, double factor) {
  std::vector<Series> all;
  std::vector<std::string> damaged;  // the comparison's remarks tell
  for (const RunOutcome& outcome : arm.outcomes) {
    all.push_back(soundSeries(store, outcome.run.id, metric, damaged));
    for (double& value : all.back().values) value *= factor;
  }
  std::vector<const Series*> seeds;
  for (const Series& series : all) seeds.push_back(&series);
  return bundleOf(seeds);
}

/// Where the steps of one arm stand on the axis.
class StepPlaces {
 public:
  StepPlaces(RunStore& store, const Arm& arm, FigureAxis axis) : axis_(axis), arm_(arm) {
    if (axis != FigureAxis::seconds) return;
    const Series seconds = bundleOf(store, arm, "step_seconds", 1).mean;
    double sum = 0;
    steps_ = seconds.steps;
    for (const double value : seconds.values) ends_.push_back(sum += value);
  }

  double of(std::int64_t step) const {
    if (axis_ == FigureAxis::step) return static_cast<double>(step);
    if (axis_ == FigureAxis::epoch) return epochs(step);
    const auto after = std::lower_bound(steps_.begin(), steps_.end(), step) - steps_.begin();
    return after == 0 ? 0 : ends_[static_cast<std::size_t>(after) - 1];
  }

 private:
  /// Stages may have epochs of their own length: they follow one another.
  double epochs(std::int64_t step) const {
    double sum = 0;
    for (const StageOutcome& outcome : arm_.outcomes.front().stages) {
      const StagePlan& stage = outcome.stage;
      const std::int64_t within = std::clamp(step, stage.firstStep, stage.endStep) - stage.firstStep;
      sum += static_cast<double>(within) / static_cast<double>(std::max<std::int64_t>(1, stage.stepsPerEpoch));
    }
    return sum;
  }

  FigureAxis axis_;
  const Arm& arm_;
  std::vector<std::int64_t> steps_;
  std::vector<double> ends_;  ///< seconds when each of them was over
};

void append(std::vector<Line>& lines, std::vector<Line> more) {
  lines.insert(lines.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

/// How one figure draws its curves.
struct Treatment {
  std::string metric;
  ChartWindow window;
  bool smooth = false;
  bool logarithmic = false;

  Series of(const Series& series) const { return smooth ? smoothed(series, figureSmoothing) : series; }
  std::vector<Line> thin(const Series& series, const StepPlaces& places) const {
    Line line;
    for (const std::int64_t step : series.steps) line.x.push_back(places.of(step));
    line.y = series.values;
    return decimate(line, window, logarithmic);
  }
};

/// Stages do not go on where the one before ended: each is a line of its own, smoothed by itself.
ChartCurve curveOf(const SeedBundle& bundle, const Arm& arm, const StepPlaces& places, const Treatment& treatment) {
  ChartCurve curve;
  curve.label = arm.label;
  curve.colourSlot = arm.colourSlot;
  curve.points = bundle.mean.steps.size() < fewSamples;
  for (const StageOutcome& stage : arm.outcomes.front().stages) {
    const auto part = [&](const Series& series) { return seriesOfStage(series, treatment.metric, stage.stage); };
    const Series line = treatment.of(part(bundle.mean));
    append(curve.line, treatment.thin(line, places));
    for (const double value : line.values) {
      if (std::isfinite(value) && (!treatment.logarithmic || value > 0)) curve.last = value;
    }
    if (bundle.seeds > 1) {
      append(curve.lowest, treatment.thin(treatment.of(part(bundle.lowest)), places));
      append(curve.highest, treatment.thin(treatment.of(part(bundle.highest)), places));
    } else if (treatment.smooth) {
      append(curve.raw, treatment.thin(part(bundle.mean), places));
    }
  }
  return curve;
}

/// Those of the first arm that has stages.
std::vector<ChartBorder> bordersOf(const Comparison& comparison, const std::vector<StepPlaces>& places) {
  std::vector<ChartBorder> borders;
  for (std::size_t i = 0; i < comparison.arms.size(); ++i) {
    const Arm& arm = comparison.arms[i];
    if (!arm.staged()) continue;
    for (const StageOutcome& stage : arm.outcomes.front().stages) {
      borders.push_back({places[i].of(stage.stage.firstStep), stage.stage.name});
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

/// The first stage with a target.
const StageOutcome* stageWithTarget(const RunOutcome& outcome) {
  const auto found = std::find_if(outcome.stages.begin(), outcome.stages.end(),
                                  [](const StageOutcome& stage) { return stage.measured.contains("steps_to_target"); });
  return found == outcome.stages.end() ? nullptr : &*found;
}

/// A measure of a stage on the axis; 0 where it was not taken.
double placeOf(const StageOutcome& stage, FigureAxis axis, double steps, const char* secondsKey) {
  if (axis == FigureAxis::step) return steps;
  if (axis == FigureAxis::epoch) {
    return steps / static_cast<double>(std::max<std::int64_t>(1, stage.stage.stepsPerEpoch));
  }
  const auto seconds = stage.measured.find(secondsKey);
  return seconds == stage.measured.end() ? 0 : seconds->second;
}

ReachedCurve reachedCurve(const Arm& arm, FigureAxis axis) {
  ReachedCurve curve{arm.label, arm.colourSlot, {}, 0, 0};
  std::vector<double> places;
  double end = 0;
  for (const RunOutcome& outcome : arm.outcomes) {
    const StageOutcome* stage = stageWithTarget(outcome);
    if (outcome.run.state != RunState::done || stage == nullptr) continue;
    ++curve.runs;
    end = std::max(end, placeOf(*stage, axis, static_cast<double>(stage->steps), "training_seconds"));
    if (stage->reachedTarget) {
      places.push_back(placeOf(*stage, axis, stage->measured.at("steps_to_target"), "seconds_to_target"));
    } else {
      ++curve.never;
    }
  }
  std::sort(places.begin(), places.end());
  const auto corner = [&](double x, std::size_t count) {
    curve.steps.x.push_back(x);
    curve.steps.y.push_back(static_cast<double>(count));
  };
  corner(0, 0);
  for (std::size_t i = 0; i < places.size(); ++i) {
    corner(places[i], i);
    corner(places[i], i + 1);
  }
  corner(end, places.size());
  return curve;
}

}  // namespace

ArmFigure figureOf(RunStore& store, const Comparison& comparison, const std::string& metric, FigureAxis axis,
                   int columns) {
  std::vector<SeedBundle> bundles;
  std::vector<StepPlaces> places;
  ArmFigure figure;
  Chart& chart = figure.chart;
  chart.lastStep = 0;
  std::size_t longest = 0;
  for (const Arm& arm : comparison.arms) {
    bundles.push_back(bundleOf(store, arm, metric, metric == "accuracy" ? 100 : 1));
    places.emplace_back(store, arm, axis);
    const Series& mean = bundles.back().mean;
    if (mean.steps.empty()) continue;
    longest = std::max(longest, mean.steps.size());
    figure.seeds = std::max(figure.seeds, bundles.back().seeds);
    chart.lastStep = std::max(chart.lastStep, places.back().of(mean.steps.back()));
  }
  if (longest == 0) return {};
  figure.smooth = metric == "loss" && longest >= fewSamples;
  chart.logarithmic = metric == "loss" && fitsLogAxis(bundles);
  if (metric == "accuracy" && comparison.targetAccuracy) chart.target = 100 * *comparison.targetAccuracy;
  if (metric == "accuracy") chart.upperLimit = 100;
  const Treatment treatment{metric, {0, chart.lastStep, columns}, figure.smooth, chart.logarithmic};
  for (std::size_t i = 0; i < bundles.size(); ++i) {
    chart.curves.push_back(curveOf(bundles[i], comparison.arms[i], places[i], treatment));
  }
  for (ChartBorder& border : bordersOf(comparison, places)) {
    if (border.step < chart.lastStep) chart.borders.push_back(std::move(border));
  }
  return figure;
}

std::vector<ReachedCurve> reachedCurves(const Comparison& comparison, FigureAxis axis) {
  std::vector<ReachedCurve> curves;
  for (const Arm& arm : comparison.arms) {
    ReachedCurve curve = reachedCurve(arm, axis);
    if (curve.runs > 0) curves.push_back(std::move(curve));
  }
  return curves;
}

}  // namespace slipstream
