// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/curve_plan.h"

#include <algorithm>

#include "engine/boost/grad_accumulation/spec.h"
#include "engine/record/series.h"
#include "engine/runs/run_outcome.h"

namespace slipstream {
namespace {

double samplesPerStep(const StagePlan& stage, int ranks) {
  return static_cast<double>(samplesPerBatch(stage.experiment.dataset, ranks) * batchesPerStep(stage.experiment));
}

}  // namespace

double CurvePlan::amount(std::int64_t step, ChartX x) const {
  double sum = 0;
  for (const StagePlan& stage : stages) {
    if (step <= stage.firstStep && &stage != &stages.front()) break;
    const bool last = &stage == &stages.back();
    const auto steps = static_cast<double>((last ? step : std::min(step, stage.endStep)) - stage.firstStep);
    sum += x == ChartX::epoch ? steps / static_cast<double>(std::max<std::int64_t>(stage.stepsPerEpoch, 1))
                              : steps * samplesPerStep(stage, ranks);
  }
  return stages.empty() ? static_cast<double>(step) : sum;
}

CurvePlan curvePlanOf(const RunRecord& record) {
  CurvePlan plan;
  plan.startedAt = record.startedAt;
  plan.variant = record.variant;
  plan.seed = record.seed;
  const auto parsed = parseRunPlan(record.planText);
  if (!parsed) return plan;
  plan.stages = stagesOf(*parsed);
  plan.ranks = parsed->ranks();
  plan.totalSteps = parsed->totalSteps;
  plan.asked = askedOf(record.planText);
  return plan;
}

std::vector<double> placesOf(const Series& series, const CurvePlan& plan, ChartX axis) {
  const bool unknown = plan.startedAt == 0 && !series.steps.empty();
  const std::int64_t began = unknown ? series.wallNanoseconds.front() : plan.startedAt;
  std::vector<double> places;
  places.reserve(series.steps.size());
  for (std::size_t i = 0; i < series.steps.size(); ++i) {
    double place = 0;
    switch (axis) {
      case ChartX::step:
      case ChartX::number:
        place = static_cast<double>(series.steps[i]);
        break;
      case ChartX::epoch:
      case ChartX::samples:
        place = plan.amount(series.steps[i], axis);
        break;
      case ChartX::wallTime:
        place = 1e-9 * static_cast<double>(series.wallNanoseconds[i]);
        break;
      case ChartX::relativeTime:
        place = 1e-9 * static_cast<double>(series.wallNanoseconds[i] - began);
        break;
    }
    // Clocks may be set back; a chart goes on.
    places.push_back(places.empty() ? place : std::max(place, places.back()));
  }
  return places;
}

std::vector<std::size_t> stageBegins(const Series& series, const CurvePlan& plan, const std::string& metric) {
  std::vector<std::size_t> begins;
  if (plan.stages.size() < 2) return begins;
  std::size_t before = 0;
  for (const StagePlan& stage : plan.stages) {
    const std::size_t samples = seriesOfStage(series, metric, stage).steps.size();
    if (before > 0 && samples > 0) begins.push_back(before);
    before += samples;
  }
  return begins;
}

std::vector<double> smoothedByStage(const Series& series, const CurvePlan& plan, const std::string& metric,
                                    double smoothing) {
  if (plan.stages.size() < 2) return smoothed(series.values, smoothing);
  std::vector<double> values;
  values.reserve(series.values.size());
  for (const StagePlan& stage : plan.stages) {
    const Series part = smoothed(seriesOfStage(series, metric, stage), smoothing);
    values.insert(values.end(), part.values.begin(), part.values.end());
  }
  // What no stage has stays as it is.
  const std::size_t covered = std::min(values.size(), series.values.size());
  values.resize(covered);
  values.insert(values.end(), series.values.begin() + static_cast<std::ptrdiff_t>(covered), series.values.end());
  return values;
}

}  // namespace slipstream
