// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/store/run_store.h"

namespace slipstream {

/// What a run takes in its store, in bytes.
struct RunSize {
  std::int64_t checkpoints = 0;
  std::int64_t logs = 0;
  std::int64_t metrics = 0;  ///< rows: the database keeps their room for other runs

  std::int64_t total() const { return checkpoints + logs + metrics; }
};
RunSize sizeOfRun(RunStore& store, const std::string& runId);

/// Removes a run for good: rows, checkpoints and logs. One that is carried on is refused, and so is a copy.
Status removeRun(RunStore& store, const std::string& runId);
/// Its checkpoints and logs alone.
Status removeFilesOfRun(const std::filesystem::path& storeFolder, const std::string& runId);

/// Why nothing can be done to a run that is a copy of another machine's.
tl::unexpected<Failures> copyIsReadOnly(const RunRecord& run);

/// What may go from a store to make room. Runs that are carried on are never touched.
struct PruneRequest {
  bool failedRuns = false;                      ///< whole runs that failed or were lost
  std::optional<std::int64_t> keepCheckpoints;  ///< of each run, all checkpoints but the newest so many
};

/// What goes of one run.
struct Prunable {
  RunRecord run;
  bool wholeRun = false;
  std::vector<std::int64_t> checkpointSteps;  ///< empty where the whole run goes
  std::int64_t bytes = 0;                     ///< that the disk gets back, about
};

/// What the request means for these runs (heads are enough), without those of which nothing goes. Pinned runs stay
/// whole; a checkpoint that a later stage of an unfinished run starts from stays (whyKept). Removes nothing.
std::vector<Prunable> prunable(RunStore& store, const std::vector<RunRecord>& runs, const PruneRequest& request);

/// Removes it for good. Fails where that is no longer possible; what was removed before stays removed.
Status prune(RunStore& store, const Prunable& prunable);

}  // namespace slipstream
