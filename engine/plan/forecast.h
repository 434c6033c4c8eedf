#pragma once

#include "engine/plan/run_plan.h"

namespace slipstream {

/// Bytes that one rank will hold, from shapes alone. With E trainable elements, batch B, 4-byte values:
/// - weights 4 E, and the running statistics of every batch norm; with optimizer_parallel at level3 4 K, where K are
///   the elements that a rank keeps (sharding.h)
/// - gradients 4 E; from level2 on 4 K
/// - optimizer_state 4 E with momentum; with optimizer_parallel 4 K
/// - gather: at level3 the largest layer, from level2 on the slots of gradientUnits, and between machines what a rank
///   receives of the largest bucket
/// - boost: Adasum by messages 4 E; in mode deltas the largest bucket; the scalars of a tensor (under 1 kB) are left
/// out
/// - activations 4 B (blocks of outputs and of gradients and places of the maxima, as network_memory.h plans them); the
///   scratch memory of convolutions and of a normalised dense layer is left out
/// - data: the pictures of both parts, one byte a value
MemoryForecast forecastMemory(const RunPlan& plan, const NetworkShape& shape, std::int64_t evaluationSamples);

}  // namespace slipstream
