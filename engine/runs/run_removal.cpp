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
  if (!isTerminal(run.state) && run.supervisor.pid != 0 && livenessOf(run.supervisor) != Liveness::gone) {
    return fail("RUN", run.id, "the run is " + std::string(nameOf(run.state)),
                "stop it first: slipstream stop " + run.id);
  }
  store.removeRun(run.id);
  const std::string weights = "checkpoints/" + run.id + ".db";
  for (const std::string& place : {weights, weights + "-journal", "logs/" + run.id}) {
    SLIPSTREAM_CHECK(removeInside(store.folder(), place));
  }
  return {};
}

}  // namespace slipstream
