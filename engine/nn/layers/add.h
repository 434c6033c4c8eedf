// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// The sum of two outputs. Its gradient is that of both.
std::unique_ptr<Layer> makeAdd(const LayerConfig& parts);

}  // namespace slipstream
