// SPDX-License-Identifier: GPL-3.0-or-later
#include <set>
#include <string>
#include <utility>

#include "engine/plan/device_placement.h"

namespace slipstream {
namespace {

bool everyRankHasItsOwn(const RunPlan& plan) {
  std::set<std::pair<std::string, int>> taken;
  for (const RankPlacement& place : plan.places) {
    if (!taken.emplace(place.host, place.deviceId).second) return false;
  }
  return true;
}

ChosenExchange ofSharedDevices(const RunPlan& plan, const DeviceKind& kind) {
  const std::string library = collectivesTitle(kind);
  if (!plan.local) {
    return {DeviceExchange::throughHost,
            phrase("ranks of several machines share {}s, which {} refuses", {kind.noun, library})};
  }
  if (!kind.reachesPeers) {
    return {DeviceExchange::throughHost, phrase("ranks share one {}, which {} refuses", {kind.noun, library})};
  }
  return {DeviceExchange::peers,
          phrase("ranks share one {}, which {} refuses, and reach into its memory", {kind.noun, library})};
}

ChosenExchange withoutLibrary(const RunPlan& plan, const DeviceKind& kind) {
  const std::string library = collectivesTitle(kind);
  if (!kind.reachesPeers) return {DeviceExchange::throughHost, phrase("there is no {}", {library})};
  if (!plan.local) {
    return {DeviceExchange::throughHost, phrase("there is no {}, and the ranks are on several machines", {library})};
  }
  return {DeviceExchange::peers,
          phrase("there is no {}, and {}s of one machine reach each other", {library, kind.noun})};
}

}  // namespace

ChosenExchange chooseDeviceExchange(const RunPlan& plan, bool libraryIsThere) {
  const DeviceKind& kind = deviceKindOf(plan.experiment);
  if (!kind.ownMemory) return {DeviceExchange::ofHost, phrase("ranks compute in the host's memory")};
  if (plan.ranks() == 1) return {DeviceExchange::throughHost, phrase("one rank has nobody to exchange with")};
  if (kind.collectives.empty()) {
    return {DeviceExchange::throughHost, phrase("{}s have no library to exchange by", {kind.noun})};
  }
  if (!everyRankHasItsOwn(plan)) return ofSharedDevices(plan, kind);
  if (!libraryIsThere) return withoutLibrary(plan, kind);
  return {DeviceExchange::library, phrase("every rank has its own {}", {kind.noun})};
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
