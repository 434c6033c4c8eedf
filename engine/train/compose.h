// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// The tensors that are exchanged together, in layout order.
std::vector<Bucket> chooseBuckets(const ParallelSpec& parallel, const ParameterLayout& layout);

/// The algorithms (engine/boost/algorithms.h) that are on fill their slots, in the order of their list. Collective: an
/// Update takes its exchange memory here. What `parts` refers to must outlive the slots.
StepSlots compose(const UpdateContext& parts);

}  // namespace slipstream
