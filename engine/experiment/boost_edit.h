// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/experiment/experiment_scope.h"

namespace slipstream {

/// Switches an algorithm in the dictionary of the scope. Where switches are not read yet, the mode becomes manual and
/// the other algorithms keep doing what they did. Level O0 stays above all switches.
Result<std::string> switchAlgorithm(const std::string& text, const ExperimentScope& scope, const std::string& algorithm,
                                    bool on);

}  // namespace slipstream
