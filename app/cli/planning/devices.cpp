// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cstdio>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "app/cli/planning/commands.h"
#include "app/cli/streams/output.h"
#include "engine/base/text.h"
#include "engine/launch/worker_query.h"
#include "engine/probe/processor.h"
#include "engine/probe/this_host.h"
#include "engine/spec/device_kind.h"

namespace slipstream::cli {
namespace {

/// Two devices agree where results in float lie no further apart than this share of the largest: sums in another order.
constexpr double farApart = 1e-5;

std::string processorModel() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (startsWith(line, "model name")) return trim(line.substr(line.find(':') + 1));
  }
  return "unknown";
}

/// What the worker program, which alone links device libraries, says of every
/// device it was built with.
nlohmann::ordered_json devicesOfWorker() {
  const ProgramAnswer answer = askWorker({"--devices"});
  if (answer.exitCode != 0) throw Error("the worker program cannot list devices: " + trim(answer.errors));
  nlohmann::ordered_json list = nlohmann::ordered_json::parse(answer.output);
  for (auto& device : list) {
    if (device.at("name") != cpuKind().name) continue;
    device["model"] = processorModel();
    device["cores"] = coresOnHost();
    device["instruction_set"] = nameOf(instructionSet());
  }
  return list;
}

/// Name, whether it is usable, what it is or why not; a second line says what to do about it.
void printDevice(const nlohmann::ordered_json& device) {
  const auto text = [&](const char* key) { return device.at(key).get<std::string>(); };
  std::string what = text("description");
  if (device.contains("cores")) {
    what = fmt::format("{}, {}, {} kernels", text("model"), counted(device.at("cores").get<int>(), "core"),
                       text("instruction_set"));
  }
  fmt::print("{:<10}{:<12}{}\n", text("name"), device.at("usable").get<bool>() ? "usable" : "not usable", what);
  for (const DeviceKind* kind : deviceKinds()) {
    const std::string without = "without_" + kind->collectives;
    if (device.contains(without)) fmt::print("{:<22}{}\n", "", text(without.c_str()));
  }
  if (device.contains("remedy")) fmt::print("{:<22}{}\n", "", text("remedy"));
}

int printList(const nlohmann::ordered_json& list, bool json) {
  if (json) {
    print(list);
  } else {
    for (const auto& device : list) printDevice(device);
  }
  return ExitCode::done;
}

/// Whether the device has this name, or is one of a kind that has it.
bool isNamed(const nlohmann::ordered_json& device, const std::string& name) {
  const auto own = device.at("name").get<std::string>();
  return own == name || startsWith(own, name + ":");
}

/// Only what was named; a failure where it is not there or cannot be used.
Result<nlohmann::ordered_json> namedDevices(const std::string& text) {
  SLIPSTREAM_TRY(name, parseDeviceName(text, "--device"));
  nlohmann::ordered_json found = nlohmann::ordered_json::array();
  for (const auto& device : devicesOfWorker()) {
    const bool kindIsMissing = name.kind->mostOfHost > 0 && device.at("name") == name.kind->name;
    if (!kindIsMissing && !isNamed(device, text)) continue;
    if (!device.at("usable").get<bool>()) {
      return fail("--device", text, device.at("description").get<std::string>(),
                  device.at("remedy").get<std::string>());
    }
    found.push_back(device);
  }
  if (found.empty()) {
    return fail("--device", text, "there is no " + name.kind->noun + " of this number",
                "choose one of `slipstream devices`");
  }
  return found;
}

void printDifferences(const nlohmann::ordered_json& differences) {
  fmt::print("{:<32}{}\n", "kernel", "largest difference, as a share of the largest result");
  for (const auto& kernel : differences) {
    fmt::print("{:<32}{}\n", kernel.at("kernel").get<std::string>(),
               kernel.at("largest").is_null() ? "not a number" : numberText(kernel.at("largest").get<double>()));
  }
}

/// Null means NaN, which agrees with nothing.
bool agree(const nlohmann::ordered_json& differences) {
  return std::ranges::all_of(differences, [](const auto& kernel) {
    return kernel.at("largest").is_number() && kernel.at("largest").template get<double>() <= farApart;
  });
}

int compare(const std::string& text, bool json) {
  const auto pair = parseDeviceCheck(text, "--device");
  if (!pair) return report(pair.error());
  const auto names = split(text.substr(text.find(':') + 1), ',');
  const ProgramAnswer answer = askWorker({"--compare", names[0], names[1]});
  if (answer.exitCode != 0) {
    report({{"", "", trim(answer.errors), ""}});
    return answer.exitCode;
  }
  const auto differences = nlohmann::ordered_json::parse(answer.output);
  if (json) {
    print(differences);
  } else {
    printDifferences(differences);
  }
  return agree(differences) ? ExitCode::done : ExitCode::runFailed;
}

}  // namespace

int devices(const DevicesArguments& arguments, const CommandLine&) {
  if (!arguments.device) return printList(devicesOfWorker(), arguments.json);
  if (isDeviceCheck(*arguments.device)) return compare(*arguments.device, arguments.json);
  const auto named = namedDevices(*arguments.device);
  return named ? printList(*named, arguments.json) : report(named.error());
}

}  // namespace slipstream::cli
