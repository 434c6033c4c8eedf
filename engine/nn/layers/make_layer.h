// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// The layer of `parts.spec.kind`.
std::unique_ptr<Layer> makeLayer(const LayerConfig& parts);

}  // namespace slipstream
