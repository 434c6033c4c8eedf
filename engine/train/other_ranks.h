// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/boost/step_slots.h"
#include "engine/wire/link.h"

namespace slipstream {

// What a rank keeps for itself, from a checkpoint that another number of ranks has made: a run that has lost hosts goes
// on with fewer.

/// How many ranks have made a checkpoint. 0: it holds nothing that would tell, and nothing of any rank's own.
int ranksOf(const CheckpointManifest& manifest);
bool isByOtherRanks(const CheckpointManifest& manifest, const Communicator& communicator);

/// The mean of what the ranks kept under this name: as evaluations take running statistics, which then come to the
/// same as before. Collective.
std::vector<float> meanOfRanks(const CheckpointManifest& manifest, const std::string& name, std::size_t count,
                               Link& link, Communicator& communicator);

/// This rank's shard of a state that was cut into so many as the checkpoint says, `count` values.
std::vector<float> shardAnew(const CheckpointManifest& manifest, const std::string& name, const StateSharding& sharding,
                             std::size_t count, Link& link, int rank);

}  // namespace slipstream
