// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"

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

/// "PREFIX-EPOCH_STEP.ckpt", both counted from 1. Where files of the prefix exist already (of an earlier training), the
/// prefix becomes PREFIX_N, N one above the largest there is. Files that end in _breakpoint.ckpt do not count.
std::string checkpointPrefix(const std::string& prefix, const std::vector<std::string>& existingFiles);
std::string checkpointFileName(const std::string& prefix, std::int64_t epoch, std::int64_t stepInEpoch);

/// Which of the kept checkpoints (oldest first, the new one included) go so that at most `keep` stay; 0 keeps all.
std::vector<std::int64_t> checkpointsToRemove(const std::vector<std::int64_t>& steps, std::int64_t keep);

}  // namespace slipstream
