// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/record/checkpoint_store.h"
#include "engine/record/run_store.h"

namespace slipstream {

/// Why a checkpoint of the run must stay: it is alive, or a later stage of an unfinished run starts from it. Empty: it
/// may go.
std::string whyKept(const RunRecord& run, std::int64_t step);

/// Forgets weights that the store does not list: a supervisor that died between the two databases leaves them, and so
/// does a course that another one replaced.
void forgetUnlistedCheckpoints(RunStore& store, CheckpointStore& checkpoints, const std::string& runId);

/// Deletes a checkpoint that may go and gives its room back to the disk. `store` must be writable.
Status deleteCheckpoint(RunStore& store, const std::string& runId, std::int64_t step);
/// The same of several: all that are named, or none where one of them must stay.
Status deleteCheckpoints(RunStore& store, const std::string& runId, const std::vector<std::int64_t>& steps);

}  // namespace slipstream
