// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/analysis/step_timing.h"

namespace slipstream {

/// Where the time of one rank's steps went.
struct RankTime {
  int rank = 0;
  StepTiming timing;

  /// Seconds a step that are its own, not spent in waiting for what others send.
  double work() const;
};

/// Of ranks 0 to `ranks` - 1 over steps [firstStep, endStep), or over all there are; those that reported none of these
/// steps are left out.
std::vector<RankTime> rankTimes(RunStore& store, const std::string& runId, int ranks, std::int64_t firstStep,
                                std::int64_t endStep);
std::vector<RankTime> rankTimes(RunStore& store, const std::string& runId, int ranks);
/// The same; none where values of them are damaged.
std::vector<RankTime> soundRankTimes(RunStore& store, const std::string& runId, int ranks);

/// The mean over ranks; of what is hidden only where every rank measured it.
StepTiming meanTiming(const std::vector<RankTime>& ranks);

/// What the slowest rank does longer than the others.
enum class Delay { compute, optimizer, data, recording };

/// How even the work is. All ranks take a step together, so the slowest one sets the pace.
struct RankBalance {
  int slowest = 0;
  double stragglerIndex = 1;  ///< greatest / median work
  Delay cause = Delay::compute;
};
/// Of at least one rank that did something.
RankBalance balanceOf(const std::vector<RankTime>& ranks);

}  // namespace slipstream
