// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// Largest value of each window; padding never wins. A NaN wins always. The gradient goes to the leftmost, then
/// topmost of equal values.
std::unique_ptr<Layer> makeMaxPool(const LayerConfig& parts);

}  // namespace slipstream
