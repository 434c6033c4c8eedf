// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/analysis/comparison.h"

namespace slipstream {

/// What a variant of a comparison does otherwise than the reference, each once: algorithms by their names, everything
/// else by its key. What follows from an algorithm (its settings, less_bn's network) is named with it.
std::vector<std::string> changesOf(const Comparison& comparison, std::size_t variant);

}  // namespace slipstream
