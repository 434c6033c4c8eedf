// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/analysis/plan_differences.h"
#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// What the horizontal axis of a chart counts. Times are in seconds: since 1970, or since the run began. `number`: what
/// the chart names (ChartModel::xName); no curve of a run is over it.
enum class ChartX { step, epoch, samples, wallTime, relativeTime, number };

/// What a run was asked to be, as far as curves need it.
struct CurvePlan {
  std::string version;
  std::string variant;
  std::uint64_t seed = 0;
  std::vector<StagePlan> stages;
  int ranks = 1;
  std::int64_t totalSteps = 0;
  std::int64_t startedAt = 0;
  AskedRun asked;

  /// Epochs or samples that are over after `step` steps.
  double amount(std::int64_t step, ChartX x) const;
};

/// Reads the plan of a run; of one that cannot be read only the times are known.
CurvePlan curvePlanOf(const RunRecord& record);

/// The position of each sample on the axis; never falling.
std::vector<double> placesOf(const Series& series, const CurvePlan& plan, ChartX axis);

/// Indices of the samples with which a stage begins, but for the first sample of all.
std::vector<std::size_t> stageBegins(const Series& series, const CurvePlan& plan, const std::string& metric);

/// Smooths each stage by itself: one does not continue from the last value of the stage before.
std::vector<double> smoothedByStage(const Series& series, const CurvePlan& plan, const std::string& metric,
                                    double smoothing);

}  // namespace slipstream
