// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/train/checkpoint.h"
#include "engine/train/stored_snapshots.h"

namespace slipstream {

/// Fills a stage's state with what it starts from: fresh weights or those of a file, the end of an earlier stage, or
/// the mean of that one's `snapshots` (nothing where the stage reads none). Returns the updates of its schedule that
/// are over. Collective. Throws Error where the store lacks what it starts from.
std::int64_t startStage(const RunPlan& plan, const StagePlan& stage, const TrainingState& state,
                        StoredSnapshots* snapshots, Link& link, Communicator& communicator);

}  // namespace slipstream
