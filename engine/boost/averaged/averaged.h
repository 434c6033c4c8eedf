// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// Update: the mean (or sum, `gradientsMean` false) of all ranks' gradients, then the optimizer. Collective. What
/// `parts` refers to must outlive the update.
std::unique_ptr<Update> makeAveraged(const UpdateContext& parts);

}  // namespace slipstream
