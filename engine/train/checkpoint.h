#pragma once

#include <string>
#include <vector>

#include "engine/boost/step_slots.h"
#include "engine/wire/link.h"

namespace slipstream {

/// Which rank writes what: weights and common state are shared out over the ranks, per-rank state is each rank's own.
/// Names: TENSOR (weights), "NAME/TENSOR" (an Update's state), "state/NAME" (running statistics).
std::vector<OutgoingTensor> checkpointTensors(Network& network, Update& update, bool full, int rank, int ranks);

/// Puts a checkpoint back: rank 0 fetches what all ranks share and broadcasts it. Collective. Throws Error where the
/// checkpoint lacks a tensor or holds one of another size.
void restoreCheckpoint(const CheckpointManifest& manifest, Link& link, Network& network, Update& update,
                       Communicator& communicator);

}  // namespace slipstream
