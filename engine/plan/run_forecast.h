// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// What a stage will do, from its plan alone.
struct RunForecast {
  std::int64_t steps = 0;
  /// Steps that train only the last layers (grad_freeze); by type 1 to rounding.
  std::int64_t frozenSteps = 0;
  /// Bytes that a rank sends in a step that trains everything. With n bytes of trainable weights, N ranks and k
  /// micro-batches: averaged, Adasum and optimizer_parallel at level1 2 n (1 - 1/N), level2 (k + 1) n (1 - 1/N), level3
  /// 3 k n (1 - 1/N); dim_reduce gathers n (1 - 1/N) once more, and bfgs twice. Dot products and votes are left out. 0
  /// where the stage trains nothing.
  std::int64_t trafficPerStep = 0;
  /// One checkpoint: weights, batch norms' statistics, and the optimizer's state of every leaf unless weights only.
  std::int64_t checkpointBytes = 0;
  std::int64_t checkpointsKept = 0;
  /// At most: tensors that did not change are stored once.
  std::int64_t storedBytes() const { return checkpointBytes * checkpointsKept; }
};

/// `stage` is one of stagesOf(plan).
RunForecast forecastRun(const RunPlan& plan, const StagePlan& stage);

}  // namespace slipstream
