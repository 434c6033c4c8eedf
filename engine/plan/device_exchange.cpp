// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>
#include <utility>

#include "engine/plan/gpu_placement.h"

namespace slipstream {
namespace {

bool everyRankHasItsOwn(const RunPlan& plan) {
  std::set<std::pair<std::string, int>> taken;
  for (const RankPlacement& place : plan.places) {
    if (!taken.emplace(place.host, place.deviceId).second) return false;
  }
  return true;
}

/// Of kinds of devices whose ranks do not reach each other.
ChosenExchange byLibraryOrHost(const RunPlan& plan, bool libraryIsThere) {
  if (!everyRankHasItsOwn(plan))
    return {DeviceExchange::throughHost, phrase("ranks share an NPU, which HCCL refuses")};
  if (libraryIsThere) return {DeviceExchange::library, phrase("every rank has an NPU of its own")};
  return {DeviceExchange::throughHost, phrase("there is no HCCL")};
}

}  // namespace

ChosenExchange chooseDeviceExchange(const RunPlan& plan, bool libraryIsThere) {
  const DeviceKind& kind = deviceKindOf(plan.experiment);
  if (!kind.ownMemory) return {DeviceExchange::ofHost, phrase("ranks compute in the host's memory")};
  if (plan.ranks() == 1) return {DeviceExchange::throughHost, phrase("one rank has nobody to exchange with")};
  if (!kind.reachesPeers) return byLibraryOrHost(plan, libraryIsThere);
  if (!everyRankHasItsOwn(plan)) {
    if (plan.local)
      return {DeviceExchange::peers, phrase("ranks share a GPU, which NCCL refuses, and reach into its memory")};
    return {DeviceExchange::throughHost, phrase("ranks of several machines share GPUs, which NCCL refuses")};
  }
  if (libraryIsThere) return {DeviceExchange::library, phrase("every rank has a GPU of its own")};
  if (plan.local) return {DeviceExchange::peers, phrase("there is no NCCL, and GPUs of one machine reach each other")};
  return {DeviceExchange::throughHost, phrase("there is no NCCL, and the ranks are on several machines")};
}

std::string_view nameOf(DeviceExchange exchange, const DeviceKind& kind) {
  switch (exchange) {
    case DeviceExchange::library:
      return kind.collectives;
    case DeviceExchange::peers:
      return "peers";
    case DeviceExchange::throughHost:
      return "through the host";
    default:
      return "host";
  }
}

}  // namespace slipstream
