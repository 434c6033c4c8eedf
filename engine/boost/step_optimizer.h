// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/step_slots.h"

namespace slipstream {

/// The experiment's optimizer for the tensors of `layout`, with state for `owned`. It divides gradients by what is left
/// to divide them by: optimizerDivisor(parts.experiment). What `parts` refers to must outlive it.
Optimizer makeStepOptimizer(const UpdateContext& parts, const ParameterLayout& layout, Range owned);

}  // namespace slipstream
