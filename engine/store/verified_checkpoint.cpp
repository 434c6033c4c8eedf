// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/verified_checkpoint.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

/// What is wrong with the checkpoint, in one sentence; empty where it is sound.
std::string problemOf(CheckpointStore& checkpoints, std::int64_t step, bool snapshot = false) {
  try {
    const Failures failures = checkpoints.verify(step, snapshot);
    return failures.empty() ? "" : failures.front().where + ": " + failures.front().problem;
  } catch (const StoreDamaged& damage) {
    return damage.what();
  }
}

/// The steps of the other sound ones; full ones only where a full one was wanted.
std::vector<std::string> soundSteps(RunStore& store, CheckpointStore& checkpoints, const std::string& runId,
                                    std::int64_t wanted) {
  const auto rows = store.checkpoints(runId);
  const bool full =
      std::any_of(rows.begin(), rows.end(), [&](const CheckpointRow& row) { return row.step == wanted && row.full; });
  std::vector<std::string> steps;
  for (const CheckpointRow& row : rows) {
    if (row.step == wanted || (full && !row.full)) continue;
    if (problemOf(checkpoints, row.step).empty()) steps.push_back(std::to_string(row.step));
  }
  return steps;
}

}  // namespace

Result<VerifiedCheckpoint> openVerifiedCheckpoint(RunStore& store, const std::string& runId, std::int64_t step) {
  SLIPSTREAM_TRY(checkpoints, CheckpointStore::openToRead(store.folder(), runId));
  if (const std::string problem = problemOf(*checkpoints, step); !problem.empty()) {
    const auto sound = soundSteps(store, *checkpoints, runId, step);
    const std::string remedy = sound.empty()
                                   ? "no other checkpoint of the run is sound: put a copy of the file in its place, or "
                                     "start the experiment anew with 'slipstream run'"
                                   : "name another step, of which these are sound: " + join(sound, ", ");
    return fail(checkpointFile(store.folder(), runId).string(), "",
                fmt::format("the checkpoint of step {} cannot be used: {}", step, problem), remedy);
  }
  SLIPSTREAM_TRY(manifest, checkpoints->manifest(step));
  return VerifiedCheckpoint{std::move(checkpoints), std::move(manifest)};
}

Result<VerifiedCheckpoint> openVerifiedSnapshot(RunStore& store, const std::string& runId, std::int64_t step) {
  SLIPSTREAM_TRY(checkpoints, CheckpointStore::openToRead(store.folder(), runId));
  if (const std::string problem = problemOf(*checkpoints, step, true); !problem.empty()) {
    return fail(checkpointFile(store.folder(), runId).string(), "",
                fmt::format("the snapshot of step {} cannot be used: {}", step, problem),
                "put a copy of the file in its place, or name another step: 'slipstream checkpoints RUN' lists them");
  }
  SLIPSTREAM_TRY(manifest, checkpoints->snapshot(step));
  return VerifiedCheckpoint{std::move(checkpoints), std::move(manifest)};
}

}  // namespace slipstream
