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

}  // namespace

ChosenExchange chooseDeviceExchange(const RunPlan& plan, bool ncclIsThere) {
  if (!deviceKindOf(plan.experiment).ownMemory) return {DeviceExchange::ofHost, "ranks compute in the host's memory"};
  if (plan.ranks() == 1) return {DeviceExchange::throughHost, "one rank has nobody to exchange with"};
  if (!everyRankHasItsOwn(plan)) {
    if (plan.local) return {DeviceExchange::peers, "ranks share a GPU, which NCCL refuses, and reach into its memory"};
    return {DeviceExchange::throughHost, "ranks of several machines share GPUs, which NCCL refuses"};
  }
  if (ncclIsThere) return {DeviceExchange::nccl, "every rank has a GPU of its own"};
  if (plan.local) return {DeviceExchange::peers, "there is no NCCL, and GPUs of one machine reach each other"};
  return {DeviceExchange::throughHost, "there is no NCCL, and the ranks are on several machines"};
}

std::string_view nameOf(DeviceExchange exchange) {
  switch (exchange) {
    case DeviceExchange::nccl:
      return "nccl";
    case DeviceExchange::peers:
      return "peers";
    case DeviceExchange::throughHost:
      return "through the host";
    default:
      return "host";
  }
}

}  // namespace slipstream
