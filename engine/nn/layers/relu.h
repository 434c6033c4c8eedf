// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// max(x, 0); a NaN stays one.
std::unique_ptr<Layer> makeRelu(const LayerConfig& parts);

}  // namespace slipstream
