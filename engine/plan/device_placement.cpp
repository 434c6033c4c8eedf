// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/device_placement.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

constexpr const char* subject = "devices";

/// Names in a plan were checked when its file was read.
DeviceName deviceOf(const RunPlan& plan) {
  return parseDeviceName(plan.experiment.device, "device").value_or(DeviceName{});
}

/// By host and number of the device.
std::map<std::pair<std::string, int>, int> ranksByDevice(const RunPlan& plan) {
  std::map<std::pair<std::string, int>, int> counts;
  for (const RankPlacement& place : plan.places) ++counts[{place.host, place.deviceId}];
  return counts;
}

bool anyShared(const RunPlan& plan) {
  return std::ranges::any_of(ranksByDevice(plan), [](const auto& entry) { return entry.second > 1; });
}

bool allAmong(const RunPlan& plan, int devices) {
  return std::ranges::all_of(plan.places, [&](const RankPlacement& place) { return place.deviceId < devices; });
}

void placeInTurn(RunPlan& plan, int devices) {
  std::map<std::string, int> ranksOfHost;
  for (RankPlacement& place : plan.places) place.deviceId = ranksOfHost[place.host]++ % devices;
}

/// Of the device that most ranks share; nothing where each has its own. Without MPS (CUDA's Multi-Process Service) the
/// driver gives one process at a time the GPU, and every stage of an exchange waits for a change.
Text sharing(const RunPlan& plan) {
  int most = 0;
  for (const auto& [device, ranks] : ranksByDevice(plan)) most = std::max(most, ranks);
  if (most < 2) return {};
  const Text ranks = countedText(most, "rank");
  const std::string& service = deviceKindOf(plan.experiment).sharedBy;
  if (service.empty()) return phrase("; up to {} share one and take turns on it", {ranks});
  return phrase("; up to {} share one, which is time-sliced unless {} runs: no measure of scaling", {ranks, service});
}

Text placeByNumber(RunPlan& plan, const DeviceName& device) {
  for (RankPlacement& place : plan.places) place.deviceId = *device.number;
  return phrase("every rank on {} {} of its host", {device.kind->noun, std::to_string(*device.number)});
}

Text placeEach(RunPlan& plan, const DeviceKind& kind, int devices) {
  const bool fromTable = plan.experiment.parallel.onNamedHosts();
  const bool known = plan.local && devices > 0;
  if (known && (anyShared(plan) || !allAmong(plan, devices))) {
    placeInTurn(plan, devices);
    return phrase("ranks in turn on the {} of this machine", {countedText(devices, kind.noun)});
  }
  const Text numbers = fromTable ? phrase("{}s by the rank table's device ids", {kind.noun})
                                 : phrase("each rank on the {} of its number", {kind.noun});
  return known || !plan.local ? numbers
                              : phrase("{}, or in turn on as many as the machine turns out to have", {numbers});
}

}  // namespace

void placeOnDevices(RunPlan& plan, int devices) {
  const DeviceName device = deviceOf(plan);
  if (device.kind->mostOfHost == 0) return;
  const Text how = device.number ? placeByNumber(plan, device) : placeEach(plan, *device.kind, devices);
  std::erase_if(plan.decisions, [](const Decision& decision) { return decision.subject == subject; });
  plan.decisions.push_back(
      adjusted(subject, plan.experiment.device, Reason::device, phrase("{}{}", {how, sharing(plan)})));
}

void describeDeviceExchange(RunPlan& plan, bool libraryIsThere) {
  constexpr const char* exchangeSubject = "device_exchange";
  if (!deviceKindOf(plan.experiment).ownMemory) return;
  const ChosenExchange chosen = chooseDeviceExchange(plan, libraryIsThere);
  std::erase_if(plan.decisions, [](const Decision& decision) { return decision.subject == exchangeSubject; });
  plan.decisions.push_back(adjusted(exchangeSubject,
                                    std::string(nameOf(chosen.exchange, deviceKindOf(plan.experiment))), Reason::device,
                                    chosen.why));
}

Failures checkDevices(const RunPlan& plan, const std::vector<HostDevice>& devices) {
  return plan.local ? checkDevices(plan, devices, plan.places.front().host) : Failures{};
}

Failures checkDevices(const RunPlan& plan, const std::vector<HostDevice>& devices, const std::string& host) {
  Failures failures;
  const DeviceKind& kind = deviceKindOf(plan.experiment);
  if (kind.mostOfHost == 0) return failures;
  const std::string place = plan.local ? "" : "host " + host + ": ";
  const std::int64_t perRank = deviceBytes(plan.memoryPerRank);
  for (const auto& [where, ranks] : ranksByDevice(plan)) {
    if (where.first != host) continue;
    const auto number = static_cast<std::size_t>(where.second);
    if (number >= devices.size()) {
      failures.push_back({place + "device", fmt::format("{}:{}", kind.name, number),
                          "there is no " + kind.noun + " of this number",
                          fmt::format("use {0}:0 to {0}:{1}{2}", kind.name, devices.size() - 1,
                                      kind.visibleDevices.empty() ? "" : ", or check " + kind.visibleDevices)});
    } else if (perRank * ranks > devices[number].memoryBytes) {
      failures.push_back(
          {place + "dataset.batch_size", std::to_string(plan.experiment.dataset.batchSize),
           fmt::format("with this network {} need {}, and {} {} has {}", counted(ranks, "rank"),
                       sizeText(perRank * ranks), kind.noun, number, sizeText(devices[number].memoryBytes)),
           "use smaller batches, fewer ranks or a smaller network (`slipstream plan` shows what takes "
           "it)"});
    }
  }
  return failures;
}

std::int64_t deviceBytes(const MemoryForecast& forecast) {
  std::int64_t bytes = 0;
  for (const auto& [category, share] : forecast) {
    if (category != "data") bytes += share;
  }
  return bytes;
}

}  // namespace slipstream
