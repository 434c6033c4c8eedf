// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/store/run_store.h"

namespace slipstream {

/// The state of a run that goes on.
struct LiveStatus {
  std::int64_t steps = 0, totalSteps = 0;
  int ranks = 0;
  std::vector<bool> reporting;            ///< of each rank: whether it keeps up with the others
  std::optional<double> secondsLeft;      ///< nothing before two steps
  double lagSeconds = 0;                  ///< how much older than one step the newest stored step is
  int runOfLaunch = 0, runsOfLaunch = 0;  ///< one launch makes a run of each variant
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

/// The variants of the experiment that a launch makes runs of, in order; empty where it has none.
std::vector<std::string> variantsOfLaunch(const RunRecord& wholeRun);

}  // namespace slipstream
