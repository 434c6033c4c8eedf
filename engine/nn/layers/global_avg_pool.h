// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// The mean of each channel over height and width, in double.
std::unique_ptr<Layer> makeGlobalAvgPool(const LayerConfig& parts);

}  // namespace slipstream
