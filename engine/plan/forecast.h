// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// Elements of the buffer through which weights and their exponential average change places.
inline constexpr std::int64_t averageStagingElements = 65'536;

/// Bytes that one rank will hold, from shapes alone. With E trainable elements, B samples in the
/// largest micro-batch, 4-byte values:
/// - weights 4 E, and the running statistics of every batch norm; with optimizer_parallel at level3 4 K, where K are
///   the elements that a rank keeps (sharding.h)
/// - gradients 4 E; from level2 on 4 K
/// - optimizer_state 4 E for each vector that the optimizer keeps (stateNames); with optimizer_parallel 4 K
/// - gather: what optimizer_parallel's spec adds: at level3 the largest layer, from level2 on the slots of
///   gradientUnits, and where shards are sent what a rank receives of the largest bucket
/// - boost: what the algorithms' specs add; the average of the weights that the rank keeps, and averageStagingElements;
/// on a GPU also 2 MB that its queue keeps for kernels
/// - activations: activationBytes; scratch memory comes on top (launch/scratch_memory.h)
/// - data: the images of both parts, one byte a value, but for those of an image folder; and the batches that are in
///   use and prepared ahead, of training and of evaluation
MemoryForecast forecastMemory(const RunPlan& plan, const NetworkShape& shape, std::int64_t evaluationSamples);

/// 4 B values: the blocks of outputs and of gradients and the places of the maxima, as network_memory.h plans them, and
/// the gradient of the network's outputs, and the samples as the network reads them; on a GPU as bytes too.
std::int64_t activationBytes(const Experiment& experiment, const NetworkShape& shape);

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
  /// One checkpoint: weights and batch norms' statistics; unless weights only, also the optimizer's state, of each rank
  /// or node where their deltas are combined, and the average of the weights (train.average_decay).
  std::int64_t checkpointBytes = 0;
  std::int64_t checkpointsKept = 0;
  /// At most: tensors that did not change are stored once.
  std::int64_t storedBytes() const { return checkpointBytes * checkpointsKept; }
};

/// `stage` is one of stagesOf(plan).
RunForecast forecastRun(const RunPlan& plan, const StagePlan& stage);

}  // namespace slipstream
