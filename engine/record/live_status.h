// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream {

/// How a run stands that is being carried on.
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

}  // namespace slipstream
