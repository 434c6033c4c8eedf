// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// Cross-correlation with weights [outputs, kernel, kernel, inputs] (OHWI), stride and padding the same on all sides.
std::unique_ptr<Layer> makeConv2d(const LayerParts& parts);

}  // namespace slipstream
