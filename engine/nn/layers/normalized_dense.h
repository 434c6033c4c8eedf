// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// y = m x' W'^T with rows x' = x / sqrt(max(|x|², 1e-4)) and W' alike; m is the trained multiplier (the head that
/// MindSpore's less_bn puts in). Lengths and their gradients in double.
std::unique_ptr<Layer> makeNormalizedDense(const LayerConfig& parts);

}  // namespace slipstream
