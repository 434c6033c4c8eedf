// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// Update: Adasum of all ranks' gradients and then the optimizer, or the optimizer on every rank (server) and then
/// Adasum of the weight differences, as the experiment's `adasum` section says (README.md here). Collective. What
/// `parts` refers to must outlive the update.
std::unique_ptr<Update> makeAdasum(const UpdateContext& parts);

}  // namespace slipstream
