// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/interchange/weight_match.h"
#include "engine/spec/network_spec.h"

namespace slipstream {

/// The trained tensors of a network, in forward order, with the pixels that they lie over: what a file of other
/// programs calls them and how it orders them. `shape` is the network's.
std::vector<ExpectedTensor> expectedWeightTensors(const NetworkSpec& network, const NetworkShape& shape);

/// The same, then the running statistics of its batch norms.
std::vector<ExpectedTensor> expectedTensors(const NetworkSpec& network, const NetworkShape& shape);

}  // namespace slipstream
