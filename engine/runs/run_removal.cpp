// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_removal.h"

#include "engine/base/confined_removal.h"
#include "engine/base/files.h"
#include "engine/store/checkpoint_store.h"

namespace slipstream {
namespace {

std::filesystem::path logFolder(RunStore& store, const std::string& runId) {
  return store.folder() / "logs" / runId;
}

}  // namespace

RunSize sizeOfRun(RunStore& store, const std::string& runId) {
  std::error_code absent;
  const auto checkpoints = std::filesystem::file_size(checkpointFile(store.folder(), runId), absent);
  return {absent ? 0 : static_cast<std::int64_t>(checkpoints), bytesUnder(logFolder(store, runId)),
          store.metricBytes(runId)};
}

/// Rows first: what is left after a failure is files of a run that nobody lists.
Status removeRun(RunStore& store, const std::string& runId) {
  SLIPSTREAM_TRY(run, store.find(runId));
  if (!run.remote.empty()) return copyIsReadOnly(run);
  if (!isTerminal(run.state) && run.supervisor.pid != 0 && livenessOf(run.supervisor) != Liveness::gone) {
    return fail("RUN", run.id, "the run is " + std::string(nameOf(run.state)),
                "stop it first: slipstream stop " + run.id);
  }
  store.removeRun(run.id);
  return removeFilesOfRun(store.folder(), run.id);
}

Status removeFilesOfRun(const std::filesystem::path& storeFolder, const std::string& runId) {
  const std::string weights = "checkpoints/" + runId + ".db";
  for (const std::string& place : {weights, weights + "-journal", "logs/" + runId}) {
    SLIPSTREAM_CHECK(removeInside(storeFolder, place));
  }
  return {};
}

tl::unexpected<Failures> copyIsReadOnly(const RunRecord& run) {
  return fail("RUN", run.id, "is a copy of a run of " + run.remote + ", where alone it can be changed",
              "do it there: add --on " + run.remote);
}

}  // namespace slipstream
