// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <exception>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

constexpr const char* where = "device";

bool wantsGpus(const RunPlan& plan) {
  return deviceKindOf(plan.experiment).mostOfHost > 0;
}

/// A machine may plan without the worker program.
Result<std::string> listedDevices(const std::string& asked) {
  std::string problem;
  try {
    WorkerAnswer answer = askWorker({"--devices"});
    if (answer.exitCode == 0) return std::move(answer.output);
    problem = trim(answer.errors);
  } catch (const Error& error) {
    problem = error.what();
  }
  return fail(where, asked, "the worker program cannot list devices: " + problem, "use cpu, or install the worker");
}

/// What the worker program, which alone links device libraries, says of the GPUs.
Result<std::vector<HostGpu>> gpusOfThisMachine(const DeviceKind& kind, const std::string& asked) {
  const Result<std::string> listed = listedDevices(asked);
  if (!listed) return tl::unexpected(listed.error());
  std::vector<HostGpu> gpus;
  for (const auto& device : nlohmann::json::parse(*listed)) {
    const auto text = [&](const char* key) { return device.value(key, ""); };
    if (text("name") != kind.name && !startsWith(text("name"), kind.name + ":")) continue;
    if (!device.at("usable").get<bool>()) return fail(where, asked, text("description"), text("remedy"));
    gpus.push_back(
        {text("description"), device.value("memory_bytes", std::int64_t{0}), device.value(kind.collectives, false)});
  }
  if (gpus.empty()) return fail(where, asked, "the worker program lists no " + kind.noun, "use cpu");
  return gpus;
}

}  // namespace

Status resolveDevices(std::vector<RunPlan>& plans) {
  const auto first = std::ranges::find_if(plans, wantsGpus);
  if (first == plans.end()) return {};
  SLIPSTREAM_TRY(gpus, gpusOfThisMachine(deviceKindOf(first->experiment), first->experiment.device));
  Failures failures;
  for (RunPlan& plan : plans) {
    placeOnGpus(plan, static_cast<int>(gpus.size()));
    describeDeviceExchange(plan, gpus.front().collectives);
    addOnce(failures, checkGpus(plan, gpus));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream
