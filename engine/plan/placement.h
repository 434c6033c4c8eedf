// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/experiment/experiment_file.h"
#include "engine/plan/run_plan.h"
#include "engine/rank_table/rank_table.h"

namespace slipstream {

struct Placement {
  std::vector<RankPlacement> places;  ///< in rank order
  bool local = true;
  int threadsPerRank = 1;
  std::vector<Decision> decisions;
};

/// Where each rank lives: the first ranks of the rank table, or so many on this machine. `forceLocal`: all here, the
/// table's servers stay as groups.
Result<Placement> placeRanks(const LoadedExperiment& loaded, bool forceLocal, int cores);

/// The same of all ranks of a table that is at hand; `source` names it.
Result<Placement> placeTable(const RankTable& table, const std::string& source, bool forceLocal, int cores);

/// The plan of a run that goes on without the ranks of the `lost` hosts: with the most of the others that share the
/// batch of all ranks evenly, so that steps, epochs and the order of samples stay as they are, in more micro-batches.
/// The plan itself where nothing is lost; nothing where too few ranks are left (train.min_ranks).
std::optional<RunPlan> shrunkPlan(const RunPlan& plan, const std::vector<std::string>& lost);
/// Puts ranks on the hosts of an allocation, host by host in their order, as those that the plan names may be somebody
/// else's by now. Nothing changes where the plan is local or has these hosts. Fails where the allocation has fewer.
Status moveToAllocation(RunPlan& plan, const Allocation& allocation);

}  // namespace slipstream
