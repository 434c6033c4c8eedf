// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/step_slots.h"

namespace slipstream {

/// Update: gradients are averaged or summed over ranks as in `averaged`, but every rank keeps and steps only its shard
/// of the optimizer's state (level1), of the gradients (level2), of the weights (level3). Collective. What `parts`
/// refers to must outlive the update.
std::unique_ptr<Update> makeOptimizerParallel(const UpdateContext& parts);

}  // namespace slipstream
