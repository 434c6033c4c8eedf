// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/analysis/rank_times.h"
#include "engine/record/metric_info.h"
#include "engine/record/series.h"

namespace slipstream {
namespace {

double sumOf(const Series& series) {
  return std::accumulate(series.values.begin(), series.values.end(), 0.0,
                         [](double sum, double value) { return std::isfinite(value) ? sum + value : sum; });
}

template <class Read>
StepTiming timingFrom(const Read& read) {
  const Series steps = read(metric::stepSeconds);
  const auto isFinite = [](double value) { return std::isfinite(value); };
  StepTiming timing;
  timing.steps = std::count_if(steps.values.begin(), steps.values.end(), isFinite);
  timing.whole = sumOf(steps);
  timing.optimizer = sumOf(read(metric::updateSeconds));
  timing.compute = std::max(0.0, sumOf(read(metric::computeSeconds)) - timing.optimizer);
  timing.communication = sumOf(read(metric::communicationSeconds));
  timing.recording = sumOf(read(metric::recordSeconds));
  timing.data = sumOf(read(metric::dataSeconds));
  const Series hidden = read(metric::hiddenCommunicationSeconds);
  if (!hidden.values.empty()) timing.hidden = sumOf(hidden);
  timing.checkpoints = sumOf(read(metric::checkpointSeconds)) + sumOf(read(metric::snapshotSeconds));
  timing.evaluation = sumOf(read(metric::evaluationSeconds));
  return timing;
}

}  // namespace

double StepTiming::other() const {
  return std::max(0.0, whole - compute - optimizer - communication - recording - data);
}

StepTiming stepTiming(RunStore& store, const std::string& runId) {
  return timingFrom([&](const char* metric) { return store.series(runId, metric); });
}

StepTiming stepTiming(RunStore& store, const std::string& runId, int rank) {
  return timingFrom([&](const char* metric) { return store.rankSeries(runId, metric, rank); });
}

StepTiming stepTiming(RunStore& store, const std::string& runId, int rank, std::int64_t firstStep,
                      std::int64_t endStep) {
  return timingFrom(
      [&](const char* metric) { return between(store.rankSeries(runId, metric, rank), firstStep, endStep); });
}

}  // namespace slipstream
