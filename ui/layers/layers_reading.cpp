// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/layers/layers_reading.h"

#include <algorithm>
#include <cmath>
#include <iterator>

#include "engine/analysis/run_colours.h"
#include "engine/base/text.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/loss_scale/spec.h"
#include "engine/record/metric_info.h"
#include "engine/runs/run_outcome.h"

namespace slipstream::ui {
namespace {

constexpr double smoothing = 0.85;
constexpr std::size_t fewSamples = 64;
constexpr std::string_view groupScales = metric::prefixOf(metric::lossScaleOfGroup);

bool fitsLogAxis(const Series& series) {
  double low = INFINITY, high = 0;
  for (const double value : series.values) {
    if (!std::isfinite(value)) continue;
    low = std::min(low, value);
    high = std::max(high, value);
  }
  return low > 0 && high > 10 * low;
}

void append(std::vector<Line>& lines, std::vector<Line> more) {
  std::move(more.begin(), more.end(), std::back_inserter(lines));
}

/// Stages do not go on where the one before ended: each is smoothed by itself.
void readLoss(LayersReading& reading, const Series& loss, const std::vector<StagePlan>& stages,
              const VisibleRange& range) {
  reading.logarithmicLoss = fitsLogAxis(loss);
  const bool smooth = loss.steps.size() >= fewSamples;
  for (const StagePlan& stage : stages) {
    const Series part = seriesOfStage(loss, metric::loss, stage);
    append(reading.loss, decimate(smooth ? smoothed(part, smoothing) : part, range, reading.logarithmicLoss));
    if (smooth) append(reading.rawLoss, decimate(part, range, reading.logarithmicLoss));
  }
}

void readScales(LayersReading& reading, RunStore& store, const std::string& runId, const VisibleRange& range) {
  for (const std::string& metric : store.metricNames(runId)) {
    const bool ofGroup = startsWith(metric, groupScales);
    if (metric != metric::lossScale && !ofGroup) continue;
    reading.lossScales.push_back({ofGroup ? metric.substr(groupScales.size()) : std::string(),
                                  decimate(store.series(runId, metric), range, true)});
  }
  reading.skipped = skippedSteps(store, runId);
}

RunPlan planOf(LayersReading& reading, const RunRecord& run) {
  const auto plan = parseRunPlan(run.planText);
  if (!plan) return {};
  reading.network = plan->experiment.network.name;
  reading.dataset = plan->experiment.dataset.name;
  reading.boost = plan->experiment.boost;
  reading.decisions = allDecisions(*plan);
  for (const StagePlan& stage : plan->stages) reading.stages.emplace_back(stage.firstStep, stage.name);
  return *plan;
}

}  // namespace

LayersReading readLayers(RunStore& store, const std::string& runId, const LayersAsked& asked) {
  LayersReading reading;
  const auto run = store.find(runId);
  if (!run) return reading;
  reading.ranks = run->ranks;
  reading.colourSlot = ownSlot(*run);
  const RunPlan plan = planOf(reading, *run);
  const Series loss = store.series(runId, metric::loss);
  if (loss.steps.empty()) return reading;
  reading.stepsDone = loss.steps.back() + 1;
  const std::int64_t first = std::clamp<std::int64_t>(asked.first.value_or(0), 0, reading.stepsDone - 1);
  const std::int64_t end = std::clamp(asked.end.value_or(reading.stepsDone), first + 1, reading.stepsDone);
  const auto columns = std::min(asked.cells, static_cast<std::size_t>(end - first));
  reading.columns = {first, end, std::max<std::size_t>(1, columns)};
  const VisibleRange range{static_cast<double>(first), static_cast<double>(end), static_cast<int>(asked.columns)};
  readLoss(reading, loss, stagesOf(plan), range);
  reading.orthogonality = orthogonalityMap(store, runId, plan, reading.columns);
  reading.freeze = freezeTimeline(store, runId, plan, reading.columns);
  reading.variance = explainedVariance(store, runId);
  reading.acceptedPower = decimate(store.series(runId, metric::acceptedPower), range);
  reading.gradientShare = decimate(store.series(runId, metric::gradientShare), range);
  readScales(reading, store, runId, range);
  return reading;
}

}  // namespace slipstream::ui
