// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/store/run_store.h"

namespace slipstream {

/// Where the time of a run's steps went: seconds of all steps together.
struct StepTiming {
  std::int64_t steps = 0;
  double whole = 0;
  double compute = 0;        ///< passes through the network, and policies
  double optimizer = 0;      ///< from the exchanged gradient to the new weights
  double communication = 0;  ///< exposed: what no computing hid
  double recording = 0;
  double data = 0;  ///< waiting for samples
  /// Of compute and optimizer: while an exchange was under way. Nothing where the run's program did not measure it.
  std::optional<double> hidden = {};
  // Between steps, not part of `whole`.
  double checkpoints = 0;  ///< copying them and snapshots, and waiting until the one before has left
  double evaluation = 0;

  /// What none of the parts of `whole` is.
  double other() const;
};

/// Of one rank, or the mean over ranks. Steps whose time is not finite are left out.
StepTiming stepTiming(RunStore& store, const std::string& runId);
StepTiming stepTiming(RunStore& store, const std::string& runId, int rank);
/// Of one rank over steps [firstStep, endStep).
StepTiming stepTiming(RunStore& store, const std::string& runId, int rank, std::int64_t firstStep,
                      std::int64_t endStep);

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
std::vector<RankTime> intactRankTimes(RunStore& store, const std::string& runId, int ranks);

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
