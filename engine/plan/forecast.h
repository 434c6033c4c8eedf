// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/run_plan.h"

namespace slipstream {

/// Bytes that one rank will hold, from shapes alone. With E trainable elements, B samples in the
/// largest micro-batch, 4-byte values:
/// - weights 4 E, and the running statistics of every batch norm; with optimizer_parallel at level3 4 K, where K are
///   the elements that a rank keeps (sharding.h)
/// - gradients 4 E; from level2 on 4 K
/// - optimizer_state 4 E with momentum; with optimizer_parallel 4 K
/// - gather: what optimizer_parallel's spec adds: at level3 the largest layer, from level2 on the slots of
///   gradientUnits, and where shards are sent what a rank receives of the largest bucket
/// - boost: what the algorithms' specs add
/// - activations: activationBytes; scratch memory comes on top (launch/scratch_memory.h)
/// - data: the pictures of both parts, one byte a value, but for those of an image folder; and the batches that are in
///   use and prepared ahead, of training and of evaluation
MemoryForecast forecastMemory(const RunPlan& plan, const NetworkShape& shape, std::int64_t evaluationSamples);

/// 4 B values: the blocks of outputs and of gradients and the places of the maxima, as network_memory.h plans them, and
/// the gradient of the network's outputs, and the samples as the network reads them; on a GPU as bytes too.
std::int64_t activationBytes(const Experiment& experiment, const NetworkShape& shape);

}  // namespace slipstream
