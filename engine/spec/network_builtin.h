// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/spec/network_spec.h"

namespace slipstream {

/// The names that builtInNetwork() knows.
const std::vector<std::string>& builtInNetworks();

/// The mlp with other hidden layers: dense layers of `hidden` units with ReLU, and a last one of `classes`.
NetworkSpec mlpNetwork(const std::vector<int>& hidden, std::int64_t classes = 10);

}  // namespace slipstream
