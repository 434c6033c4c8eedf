// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// x W' + b of a flat input [batch, inputs], W [outputs, inputs].
std::unique_ptr<Layer> makeDense(const LayerConfig& parts);

}  // namespace slipstream
