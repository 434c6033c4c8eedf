#pragma once

#include "engine/plan/run_plan.h"

namespace slipstream {

/// Bytes that one rank will hold, from shapes alone. With E trainable elements, batch B, 4-byte values:
/// weights 4 E · gradients 4 E · optimizer_state 4 E with momentum · boost: Adasum 4 E for the exchange, and 4 E more
/// for the weights before the local step in mode deltas · activations 4 B (input + 2 x outputs of every layer: value
/// and gradient) · data: the pictures of both parts with their labels (one byte a value), and one batch of 4-byte
/// values.
MemoryForecast forecastMemory(const Experiment& experiment, const NetworkShape& shape, std::int64_t trainSamples,
                              std::int64_t evaluationSamples);

}  // namespace slipstream
