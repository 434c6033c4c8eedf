// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/base/process_identity.h"
#include "engine/record/series.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// The state of a run that goes on.
struct LiveStatus {
  std::int64_t steps = 0, totalSteps = 0;
  int ranks = 0;
  std::vector<bool> reporting;            ///< of each rank: whether it keeps up with the others
  std::optional<double> secondsLeft;      ///< nothing before two steps
  double lagSeconds = 0;                  ///< how much older than one step the newest stored step is
  int runOfLaunch = 0, runsOfLaunch = 0;  ///< one launch makes a run of each variant with each seed
};
/// `wholeRun`: not a head.
LiveStatus liveStatus(RunStore& store, const RunRecord& wholeRun);

/// Whether the newest attempt of the run was asked for by a person (`slipstream resume`), and not by the launch that
/// made the run: a resumed run goes on alone, and no other variants follow it.
bool wasResumed(RunStore& store, const RunRecord& run);

/// Wall nanoseconds when the newest attempt of the run began; 0 where it has none.
std::int64_t attemptBegan(RunStore& store, const RunRecord& run);

/// The step with which the run ends: where it ended as done, which a target may have made early, else as planned; 0 of
/// a plan that cannot be read.
std::int64_t endStepOf(RunStore& store, const RunRecord& wholeRun);

struct LaunchedRun {
  std::string variant;  ///< empty: the experiment has none
  std::uint64_t seed = 0;

  bool operator==(const LaunchedRun&) const = default;
};
/// The runs that the launch of this one makes, each variant of its file with each seed. Flags that leave out variants
/// are not recorded: of such a launch it names too many.
std::vector<LaunchedRun> runsOfLaunch(const RunRecord& wholeRun);

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
