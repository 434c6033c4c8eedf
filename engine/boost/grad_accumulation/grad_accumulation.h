// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/boost/step_slots.h"

namespace slipstream {

/// Cuts every batch into train.micro_size micro-batches, whose gradients add up before the one exchange of the step.
/// (The step form, several batches for one update, is the sampler's: it hands out all of them for one step.)
std::unique_ptr<StepPolicy> makeMicroBatching(const TrainSpec& train);

}  // namespace slipstream
