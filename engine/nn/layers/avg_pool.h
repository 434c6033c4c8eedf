// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// Mean of each window over the positions that lie in the image.
std::unique_ptr<Layer> makeAvgPool(const LayerConfig& parts);

}  // namespace slipstream
