// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "ui/launch/coming_runs.h"
#include "ui/launch/launcher.h"
#include "ui/store/store_watcher.h"

namespace slipstream::ui {

enum class RunGrouping { experiment, seeds };

/// One row of the list of runs as it should be.
struct RunTreeEntry {
  enum class Kind { experiment, variant, run, queued, archive };
  Kind kind = Kind::run;
  std::string key;  ///< names the row among all rows, from one moment to the next
  QString title;
  const RunRow* row = nullptr;  ///< of a run; belongs to the snapshot
  int number = 0;               ///< of a queued launch: QueuedLaunch::number; 0 of a coming run of one under way
  int place = 0;                ///< of what is queued: which one it is, from 1
  std::vector<RunTreeEntry> children;
};

/// Groups of experiments, the newest launch first, with what is to come at their ends; seeds of one variant together
/// where asked; the archive last. `isShown` narrows the runs. Pointers go into `snapshot`.
std::vector<RunTreeEntry> arrangeRuns(const StoreSnapshot& snapshot, const std::vector<ComingRun>& coming,
                                      const std::vector<QueuedLaunch>& queue, RunGrouping grouping,
                                      const std::function<bool(const RunRow&)>& isShown);

}  // namespace slipstream::ui
