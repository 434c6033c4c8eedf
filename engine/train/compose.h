// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// What sits in the slots of a training step: the experiment, as objects.
struct StepSlots {
  std::unique_ptr<Update> update;
  std::vector<std::shared_ptr<StepPolicy>> policies;  ///< shared: one object may fill several slots
  std::vector<std::shared_ptr<GradientPass>> gradientPasses;
};

/// The tensors that are exchanged together, in layout order.
std::vector<Bucket> chooseBuckets(const ParallelSpec& parallel, const ParameterLayout& layout);

/// Fills the slots in the order in which they work. Collective: an Update takes its exchange memory here.
StepSlots compose(const UpdateParts& parts);

}  // namespace slipstream
