#include "engine/record/run_removal.h"

#include "engine/base/files.h"
#include "engine/record/checkpoint_store.h"

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
  if (!isTerminal(run.state) && livenessOf(run.supervisor) != Liveness::gone) {
    return fail("RUN", run.id, "the run is " + std::string(nameOf(run.state)),
                "stop it first: slipstream stop " + run.id);
  }
  store.removeRun(run.id);
  std::error_code error;
  const std::filesystem::path file = checkpointFile(store.folder(), run.id);
  std::filesystem::remove(file, error);
  if (error) return fail(file.string(), "", "the file cannot be removed: " + error.message(), "remove it by hand");
  std::filesystem::remove(file.string() + "-journal", error);
  std::filesystem::remove_all(logFolder(store, run.id), error);
  if (error) {
    return fail(logFolder(store, run.id).string(), "", "the folder cannot be removed: " + error.message(),
                "remove it by hand");
  }
  return {};
}

}  // namespace slipstream
