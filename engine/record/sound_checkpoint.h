// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "engine/record/checkpoint_store.h"
#include "engine/record/run_store.h"

namespace slipstream {

struct SoundCheckpoint {
  std::unique_ptr<CheckpointStore> store;  ///< to read
  CheckpointManifest manifest;
};

/// The checkpoint of `step`, which the run store lists, after every tensor of it was read and found to be what its hash
/// says. Otherwise a failure that names the file and, where there are some, the steps of the run's sound checkpoints.
/// Makes and changes nothing.
Result<SoundCheckpoint> openSoundCheckpoint(RunStore& store, const std::string& runId, std::int64_t step);
/// The same of a snapshot.
Result<SoundCheckpoint> openSoundSnapshot(RunStore& store, const std::string& runId, std::int64_t step);

}  // namespace slipstream
