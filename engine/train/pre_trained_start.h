// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/train/checkpoint.h"

namespace slipstream {

/// Puts what network.pre_trained's file holds into weights and running statistics, which are initialized already;
/// nothing where the experiment names no file. Rank 0 reads it and broadcasts one tensor at a time. Collective. Throws
/// Error where the file is no longer what it was when the run was planned, unless the plan allows different bits.
void takePreTrained(const RunPlan& plan, const Experiment& experiment, const TrainingState& state, Link& link,
                    Communicator& communicator);

}  // namespace slipstream
