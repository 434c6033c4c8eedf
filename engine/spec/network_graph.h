// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/spec/network_spec.h"

namespace slipstream {

/// Whose outputs each layer reads. A name that means nothing, a layer whose output nobody reads, or `with` in the wrong
/// place is added to `failures`; such a layer reads the one before it.
std::vector<LayerInputs> layerInputs(const NetworkSpec& network, Failures& failures);

/// How often each layer's output is read.
std::vector<int> readersOf(const std::vector<LayerInputs>& inputs);

/// "network.layers[3] (conv2)"
std::string layerPlace(const NetworkSpec& network, std::size_t index);

}  // namespace slipstream
