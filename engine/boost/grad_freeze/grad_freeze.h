// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// Trains only the last layers on a share of the steps. The group of a step depends on (seed, step) alone: the same on
/// every rank without a message, and after a resume without a state.
std::unique_ptr<StepPolicy> makeGradFreeze(const UpdateContext& parts);

}  // namespace slipstream
