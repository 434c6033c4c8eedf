#pragma once

#include "engine/nn/layers/layer.h"

namespace slipstream {

/// The layer of `parts.spec.kind`.
std::unique_ptr<Layer> makeLayer(const LayerParts& parts);

}  // namespace slipstream
