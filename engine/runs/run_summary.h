// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/process_identity.h"
#include "engine/store/run_store.h"
#include "engine/store/series.h"

namespace slipstream {

/// What a list of runs shows beside a run's own record.
struct RunSummary {
  std::optional<Liveness> supervisor;  ///< of a run that has not ended; nothing of a copy
  std::optional<double> lastLoss;      ///< mean over ranks; nothing before the first step
  std::int64_t stepsDone = 0;
  std::int64_t totalSteps = 0;             ///< that were planned
  std::optional<double> loss;              ///< mean of the last finalLossSteps, as reports have it
  std::optional<std::int64_t> brokenStep;  ///< the first one whose loss is NaN or infinite
  double brokenLoss = 0;                   ///< that loss
  std::string damage;                      ///< why there are no values though there were; empty: nothing is damaged
  std::vector<Line> sparkline;             ///< the loss over the steps done, thinned as charts are
};

/// `run` is whole, not a head. `columns`: device pixels of the sparkline. Reads the whole loss series: ask for the runs
/// that are in sight.
RunSummary summarizeRun(RunStore& store, const RunRecord& run, int columns);

}  // namespace slipstream
