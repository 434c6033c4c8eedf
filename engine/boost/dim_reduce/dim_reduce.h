// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// Update: steps in the space that earlier weights of this network span, by P-BFGS or P-SGD (Li et al., arXiv
/// 2103.11154; README.md). Makes the projection from `parts.snapshots`, or reads it. Collective. Throws Error where
/// neither is possible. What `parts` refers to must outlive the update, but the snapshots.
std::unique_ptr<Update> makeDimReduce(const UpdateContext& parts);

}  // namespace slipstream
