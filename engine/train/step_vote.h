// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/comm/communicator.h"
#include "engine/wire/link.h"

namespace slipstream {

/// What a rank has to say after a step.
struct Ballot {
  StopKind stop = StopKind::none;
  bool invalidLoss = false;
  bool checkpointDue = false;  ///< by the clock of rank 0
};

/// What the ranks decide together after every step; the largest of each field counts.
struct Vote {
  StopKind stop = StopKind::none;
  std::optional<int> invalidRank;  ///< the first whose loss is invalid
  bool allInvalid = false;
  bool checkpointDue = false;
};

/// Collective.
Vote voteOf(Communicator& communicator, const Ballot& mine);

/// The wording of MindSpore's LossMonitor, and whose loss it is, where `done` updates of the stage are over: steps
/// count from 1 inside the epoch.
std::string invalidLossText(const Vote& vote, std::int64_t done, std::int64_t stepsPerEpoch, int ranks);

/// Puts the memory that was measured so far into the record.
void tellMemory(Link& link, Device& device);

}  // namespace slipstream
