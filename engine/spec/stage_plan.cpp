// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/stage_plan.h"

namespace slipstream {

bool exchangesInSharedMemory(const RunPlan& plan) {
  return plan.local && !deviceKindOf(plan.experiment).ownMemory;
}

HostLayout exchangeHosts(const RunPlan& plan) {
  return exchangeHosts(plan, plan.experiment);
}

HostLayout exchangeHosts(const RunPlan& plan, const Experiment& experiment) {
  if (experiment.parallel.exchange != GradientExchange::hosts) return {};
  std::vector<std::string> hosts;
  for (const RankPlacement& place : plan.places) {
    hosts.push_back(plan.local ? std::to_string(place.server) : place.host);
  }
  return HostLayout(hosts);
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
