// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// Reads an image as a flat vector in NHWC order; moves nothing.
std::unique_ptr<Layer> makeFlatten(const LayerConfig& parts);

}  // namespace slipstream
