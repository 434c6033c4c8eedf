// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/interchange/weight_match.h"
#include "engine/plan/network_spec.h"

namespace slipstream {

/// The trained tensors of a network, in forward order, with the pixels that they lie over: what a file of other
/// programs calls them and how it orders them. `shape` is the network's.
std::vector<WantedTensor> wantedWeights(const NetworkSpec& network, const NetworkShape& shape);

/// The same, then the running statistics of its batch norms.
std::vector<WantedTensor> wantedTensors(const NetworkSpec& network, const NetworkShape& shape);

}  // namespace slipstream
