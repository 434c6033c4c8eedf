// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <string>

#include "engine/plan/run_plan.h"
#include "tests/train/support/memory_link.h"

namespace slipstream::test {

/// A plan of `steps` steps of lenet5 on 2000 generated digits, in batches of 16 a rank, with momentum at a rate of
/// 0.02.
RunPlan digitsPlan(int ranks, std::int64_t steps);

/// The task of every rank, which goes on from the store's checkpoint of `fromStep` where it is given. Later checkpoints
/// are erased then, so that only a run that trains on has them again.
WorkerTask taskOf(MemoryStore& store, const RunPlan& plan, std::optional<std::int64_t> fromStep);

/// Trains a plan on its device by thread ranks, as taskOf() says; what it leaves is in `store`. Ranks of a plan that is
/// not local share no memory, or that of its hosts where exchanges tell them apart. What lies on devices is
/// exchanged through the host.
void trainRanks(MemoryStore& store, const RunPlan& plan, std::optional<std::int64_t> fromStep = std::nullopt);

/// The hash of every tensor of a checkpoint, by name and owner: weights, statistics and optimizer state.
std::map<std::string, std::string> hashesAt(MemoryStore& store, std::int64_t step);

}  // namespace slipstream::test
