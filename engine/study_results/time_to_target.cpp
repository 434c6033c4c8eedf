// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study_results/time_to_target.h"

#include <algorithm>
#include <cmath>

#include "engine/runs/measure.h"

namespace slipstream {
namespace {

constexpr double bandMiss = 0.05;

/// The seeds of one variant that have ended.
struct Watched {
  std::string variant;
  std::vector<TimeToEvent> times;
  int failed = 0;  ///< beside those
};

Watched watch(StudyRuns& runs, const StudyMeasure& measure, const std::string& variant, const std::string& factors) {
  Watched watched{variant, {}, 0};
  for (const auto& [pair, cell] : runs.measured(variant, factors)) {
    if (cell->end == CellEnd::failed) ++watched.failed;
    const auto value = runs.valueOf(*cell, measure, "");
    if (value && std::isfinite(value->value)) watched.times.push_back({value->value, value->reached});
  }
  return watched;
}

/// The shortest watch of those that did not get there; else as far as the longest took.
double horizonOf(const std::vector<Watched>& all) {
  double shortest = INFINITY, longest = 0;
  for (const Watched& watched : all) {
    for (const TimeToEvent& one : watched.times) {
      if (!one.happened) shortest = std::min(shortest, one.time);
      longest = std::max(longest, one.time);
    }
  }
  return std::isfinite(shortest) ? shortest : longest;
}

std::optional<double> medianOf(const std::vector<SurvivalStep>& steps) {
  const auto half = std::ranges::find_if(steps, [](const SurvivalStep& step) { return step.survival <= 0.5; });
  return half == steps.end() ? std::nullopt : std::optional(half->time);
}

ReachedCurve curveOf(const Watched& watched, double horizon) {
  ReachedCurve curve{.variant = watched.variant};
  curve.failed = watched.failed;
  double end = horizon;
  std::vector<TimeToEvent> times = watched.times;
  for (const TimeToEvent& one : times) {
    ++(one.happened ? curve.reached : curve.never);
    end = std::max(end, one.time);
  }
  // Who failed is watched to the end, and never gets there.
  times.insert(times.end(), static_cast<std::size_t>(watched.failed), {end, false});
  curve.seeds = static_cast<int>(times.size());
  curve.end = end;
  curve.steps = kaplanMeier(std::move(times));
  for (const SurvivalStep& step : curve.steps) curve.band.push_back(survivalInterval(step, bandMiss));
  curve.restrictedMean = restrictedMean(curve.steps, horizon);
  curve.median = medianOf(curve.steps);
  return curve;
}

}  // namespace

const StudyMeasure* targetMeasureOf(const Study& study) {
  if (!study.question.target) return nullptr;
  const StudyMeasure* asked = findStudyMeasure(study.question.measure);
  return asked != nullptr && asked->countsToTarget ? asked : findStudyMeasure(measure::stepsToTarget);
}

TimeToTarget timeToTarget(StudyRuns& runs, const Study& study, const StudyMeasure& measure,
                          const StudySettings& factors) {
  std::vector<Watched> all;
  for (const StudyVariant& variant : study.variants) {
    Watched watched = watch(runs, measure, variant.name, storedForm(factors));
    if (!watched.times.empty() || watched.failed > 0) all.push_back(std::move(watched));
  }
  TimeToTarget found{
      .measure = measure, .factors = factors, .horizon = horizonOf(all), .level = 1 - bandMiss, .curves = {}};
  for (const Watched& watched : all) {
    found.curves.push_back(curveOf(watched, found.horizon));
    const ReachedCurve& curve = found.curves.back();
    found.isCut = found.isCut || curve.never + curve.failed > 0;
  }
  return found;
}

}  // namespace slipstream
