// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/gpu_placement.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

constexpr const char* subject = "gpus";

/// Names in a plan were checked when its file was read.
DeviceName deviceOf(const RunPlan& plan) {
  return parseDeviceName(plan.experiment.device, "device").value_or(DeviceName{});
}

/// By host and GPU.
std::map<std::pair<std::string, int>, int> ranksByGpu(const RunPlan& plan) {
  std::map<std::pair<std::string, int>, int> counts;
  for (const RankPlacement& place : plan.places) ++counts[{place.host, place.deviceId}];
  return counts;
}

bool anyShared(const RunPlan& plan) {
  return std::ranges::any_of(ranksByGpu(plan), [](const auto& entry) { return entry.second > 1; });
}

bool allAmong(const RunPlan& plan, int gpus) {
  return std::ranges::all_of(plan.places, [&](const RankPlacement& place) { return place.deviceId < gpus; });
}

void placeInTurn(RunPlan& plan, int gpus) {
  std::map<std::string, int> ranksOfHost;
  for (RankPlacement& place : plan.places) place.deviceId = ranksOfHost[place.host]++ % gpus;
}

/// Of the GPU that most ranks share; nothing where each has its own. Without MPS (CUDA's Multi-Process Service) the
/// driver gives one process at a time the GPU, and every stage of an exchange waits for a change.
Text sharing(const RunPlan& plan) {
  int most = 0;
  for (const auto& [gpu, ranks] : ranksByGpu(plan)) most = std::max(most, ranks);
  if (most < 2) return {};
  const Text ranks = countedText(most, "rank");
  if (&deviceKindOf(plan.experiment) != &cudaKind())
    return phrase("; up to {} share one and take turns on it", {ranks});
  return phrase("; up to {} share one, which is time-sliced unless MPS runs: no measure of scaling", {ranks});
}

Text placeByNumber(RunPlan& plan, int number) {
  for (RankPlacement& place : plan.places) place.deviceId = number;
  return phrase("every rank on GPU {} of its host", {std::to_string(number)});
}

Text placeEach(RunPlan& plan, int gpus) {
  const bool fromTable = !plan.experiment.parallel.rankTablePath.empty();
  const bool known = plan.local && gpus > 0;
  if (known && (anyShared(plan) || !allAmong(plan, gpus))) {
    placeInTurn(plan, gpus);
    return phrase("ranks in turn on the {} of this machine", {countedText(gpus, "GPU")});
  }
  const Text numbers =
      fromTable ? phrase("GPUs by the rank table's device ids") : phrase("each rank on the GPU of its number");
  return known || !plan.local ? numbers
                              : phrase("{}, or in turn on as many as the machine turns out to have", {numbers});
}

}  // namespace

void placeOnGpus(RunPlan& plan, int gpus) {
  const DeviceName device = deviceOf(plan);
  if (device.kind->mostOfHost == 0) return;
  const Text how = device.number ? placeByNumber(plan, *device.number) : placeEach(plan, gpus);
  std::erase_if(plan.decisions, [](const Decision& decision) { return decision.subject == subject; });
  plan.decisions.push_back(
      adjusted(subject, plan.experiment.device, Reason::device, phrase("{}{}", {how, sharing(plan)})));
}

void describeDeviceExchange(RunPlan& plan, bool libraryIsThere) {
  constexpr const char* exchangeSubject = "gpu_exchange";
  if (!deviceKindOf(plan.experiment).ownMemory) return;
  const ChosenExchange chosen = chooseDeviceExchange(plan, libraryIsThere);
  std::erase_if(plan.decisions, [](const Decision& decision) { return decision.subject == exchangeSubject; });
  plan.decisions.push_back(adjusted(exchangeSubject,
                                    std::string(nameOf(chosen.exchange, deviceKindOf(plan.experiment))), Reason::device,
                                    chosen.why));
}

Failures checkGpus(const RunPlan& plan, const std::vector<HostGpu>& gpus) {
  Failures failures;
  const DeviceKind& kind = deviceKindOf(plan.experiment);
  if (kind.mostOfHost == 0 || !plan.local) return failures;
  const std::int64_t perRank = gpuBytes(plan.memoryPerRank);
  for (const auto& [place, ranks] : ranksByGpu(plan)) {
    const auto number = static_cast<std::size_t>(place.second);
    if (number >= gpus.size()) {
      failures.push_back(
          {"device", fmt::format("{}:{}", kind.name, number), "there is no GPU of this number",
           fmt::format("use {0}:0 to {0}:{1}, or check CUDA_VISIBLE_DEVICES", kind.name, gpus.size() - 1)});
    } else if (perRank * ranks > gpus[number].memoryBytes) {
      failures.push_back({"dataset.batch_size", std::to_string(plan.experiment.dataset.batchSize),
                          fmt::format("with this network {} need {}, and GPU {} has {}", counted(ranks, "rank"),
                                      sizeText(perRank * ranks), number, sizeText(gpus[number].memoryBytes)),
                          "use smaller batches, fewer ranks or a smaller network (`slipstream plan` shows what takes "
                          "it)"});
    }
  }
  return failures;
}

std::int64_t gpuBytes(const MemoryForecast& forecast) {
  std::int64_t bytes = 0;
  for (const auto& [category, share] : forecast) {
    if (category != "data") bytes += share;
  }
  return bytes;
}

}  // namespace slipstream
