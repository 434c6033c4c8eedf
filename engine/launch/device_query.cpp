// SPDX-License-Identifier: GPL-3.0-or-later
#include <exception>
#include <map>

#include <nlohmann/json.hpp>

#include "engine/base/error.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

constexpr const char* where = "device";

/// A machine may plan without the worker program.
Result<std::string> listedDevices(const std::string& asked) {
  std::string problem;
  try {
    ProgramAnswer answer = askWorker({"--devices"});
    if (answer.exitCode == 0) return std::move(answer.output);
    problem = trim(answer.errors);
  } catch (const Error& error) {
    problem = error.what();
  }
  return fail(where, asked, "the worker program cannot list devices: " + problem, "use cpu, or install the worker");
}

/// What the worker program, which alone links device libraries, says of the devices of a kind.
Result<std::vector<HostDevice>> devicesOfThisMachine(const DeviceKind& kind, const std::string& asked) {
  const Result<std::string> listed = listedDevices(asked);
  if (!listed) return tl::unexpected(listed.error());
  return devicesListed(*listed, kind, asked);
}

}  // namespace

bool wantsNumberedDevices(const RunPlan& plan) {
  return deviceKindOf(plan.experiment).mostOfHost > 0;
}

Result<std::vector<HostDevice>> devicesListed(const std::string& list, const DeviceKind& kind,
                                              const std::string& asked) {
  const auto parsed = nlohmann::json::parse(list, nullptr, false);
  if (!parsed.is_array()) return fail(where, asked, "the worker program cannot list devices", "use cpu");
  std::vector<HostDevice> devices;
  for (const auto& device : parsed) {
    const auto text = [&](const char* key) { return device.value(key, ""); };
    if (text("name") != kind.name && !startsWith(text("name"), kind.name + ":")) continue;
    if (!device.at("usable").get<bool>()) return fail(where, asked, text("description"), text("remedy"));
    devices.push_back(
        {text("description"), device.value("memory_bytes", std::int64_t{0}), device.value(kind.collectives, false)});
  }
  if (devices.empty()) return fail(where, asked, "the worker program lists no " + kind.noun, "use cpu");
  return devices;
}

Status resolveDevices(std::vector<RunPlan>& plans) {
  std::map<const DeviceKind*, std::vector<HostDevice>> found;
  Failures failures;
  for (RunPlan& plan : plans) {
    if (!wantsNumberedDevices(plan) || !plan.local) continue;
    const DeviceKind& kind = deviceKindOf(plan.experiment);
    if (!found.contains(&kind)) {
      SLIPSTREAM_TRY(listed, devicesOfThisMachine(kind, plan.experiment.device));
      found[&kind] = std::move(listed);
    }
    const std::vector<HostDevice>& devices = found.at(&kind);
    placeOnDevices(plan, static_cast<int>(devices.size()));
    describeDeviceExchange(plan, devices.front().collectives);
    addOnce(failures, checkDevices(plan, devices));
  }
  if (!failures.empty()) return tl::unexpected(std::move(failures));
  return {};
}

}  // namespace slipstream
