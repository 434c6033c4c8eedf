// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/stage_plan.h"

namespace slipstream {

bool exchangesInSharedMemory(const RunPlan& plan) {
  return plan.local && !deviceKindOf(plan.experiment).ownMemory;
}

std::vector<int> ranksOfServers(const std::vector<RankPlacement>& places) {
  std::vector<int> counts;
  for (const RankPlacement& place : places) {
    const auto server = static_cast<std::size_t>(place.server);
    if (counts.size() <= server) counts.resize(server + 1);
    ++counts[server];
  }
  return counts;
}

}  // namespace slipstream
