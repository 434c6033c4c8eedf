// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/spec/experiment.h"

namespace slipstream {

// When a checkpoint is due (MindSpore's CheckpointConfig). Pure: a run that was resumed, from whatever step, keeps the
// same steps as one that was never interrupted. `CheckpointSpec::atEnd` asks for one more after the last step.

/// Whether the run keeps checkpoints on its way at all, by steps or by the clock.
bool checkpointsAreScheduled(const CheckpointSpec& spec);

/// After `done` updates since the beginning of the run (not of the attempt): every multiple of `everySteps`.
bool checkpointDueBySteps(const CheckpointSpec& spec, std::int64_t done);

/// `secondsSinceLast` after the last checkpoint, or the start of the attempt. Never where steps are given: they win.
/// Clocks of ranks differ: one rank asks, and all do what it says.
bool checkpointDueByClock(const CheckpointSpec& spec, double secondsSinceLast);

}  // namespace slipstream
