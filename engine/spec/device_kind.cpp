// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/device_kind.h"

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/config/fields.h"

namespace slipstream {
namespace {

constexpr const char* checkPrefix = "check:";

std::vector<std::string> allNames() {
  std::vector<std::string> names;
  for (const DeviceKind* kind : deviceKinds()) names.push_back(kind->name);
  for (const DeviceKind* kind : deviceKinds()) {
    for (int number = 0; number < kind->mostOfHost; ++number) names.push_back(fmt::format("{}:{}", kind->name, number));
  }
  return names;
}

/// "cpu, cuda, npu, cuda:0 to cuda:15, or npu:0 to npu:15"
std::string choiceOfNames() {
  std::string names;
  std::string numbered;
  for (const DeviceKind* kind : deviceKinds()) {
    names += kind->name + ", ";
    if (kind->mostOfHost > 0) numbered += fmt::format("{0}:0 to {0}:{1}, ", kind->name, kind->mostOfHost - 1);
  }
  names += numbered;
  names.resize(names.size() - 2);
  return names.insert(names.rfind(", ") + 2, "or ");
}

}  // namespace

const DeviceKind& cpuKind() {
  static const DeviceKind kind{.name = "cpu", .noun = "CPU"};
  return kind;
}

const DeviceKind& cudaKind() {
  static const DeviceKind kind{.name = "cuda",
                               .noun = "GPU",
                               .mostOfHost = 16,
                               .ownMemory = true,
                               .float16Images = true,
                               .multipliesHalfTypes = true,
                               .denseHalfTypes = true,
                               .fusesConvolutions = true,
                               .collectives = "nccl",
                               .reachesPeers = true,
                               .sharedBy = "MPS",
                               .visibleDevices = "CUDA_VISIBLE_DEVICES"};
  return kind;
}

const DeviceKind& npuKind() {
  static const DeviceKind kind{.name = "npu",
                               .noun = "NPU",
                               .mostOfHost = 16,
                               .ownMemory = true,
                               .float16Images = true,
                               .multipliesHalfTypes = true,
                               .collectives = "hccl",
                               .visibleDevices = "ASCEND_RT_VISIBLE_DEVICES"};
  return kind;
}

const DeviceKind& npuTwinKind() {
  static const DeviceKind kind{.name = "npu-twin", .noun = "emulated NPU", .emulates = npuKind().noun};
  return kind;
}

const std::vector<const DeviceKind*>& deviceKinds() {
  static const std::vector<const DeviceKind*> kinds{&cpuKind(), &cudaKind(), &npuKind(), &npuTwinKind()};
  return kinds;
}

std::string collectivesTitle(const DeviceKind& kind) {
  std::string title = kind.collectives;
  for (char& letter : title) letter = static_cast<char>(std::toupper(static_cast<unsigned char>(letter)));
  return title;
}

const std::vector<std::string>& deviceNames() {
  static const std::vector<std::string> names = allNames();
  return names;
}

std::string deviceNamesHelp() {
  std::vector<std::string> kinds;
  for (const DeviceKind* kind : deviceKinds()) {
    const std::string numbered = fmt::format(
        "{0} (each rank on its own {1}, as far as they go) or {0}:1 (all on that one)", kind->name, kind->noun);
    kinds.push_back(kind->mostOfHost > 0      ? numbered
                    : !kind->emulates.empty() ? kind->name + " (emulated)"
                                              : kind->name);
  }
  return join(kinds, ", ");
}

bool isEmulated(const std::string& name) {
  const auto known = parseDeviceName(name, "device");
  return known && !known->kind->emulates.empty();
}

Result<DeviceName> parseDeviceName(const std::string& text, const std::string& where) {
  const auto& names = deviceNames();
  if (std::find(names.begin(), names.end(), text) == names.end()) {
    return fail(where, text, "names no device", "write " + choiceOfNames());
  }
  const std::size_t colon = text.find(':');
  const auto found =
      std::ranges::find(deviceKinds(), text.substr(0, colon), [](const DeviceKind* kind) { return kind->name; });
  if (colon == std::string::npos) return DeviceName{*found};
  return DeviceName{*found, std::stoi(text.substr(colon + 1))};
}

bool isDeviceCheck(const std::string& text) {
  return startsWith(text, checkPrefix);
}

Result<std::pair<DeviceName, DeviceName>> parseDeviceCheck(const std::string& text, const std::string& where) {
  const std::vector<std::string> names = split(text.substr(std::string(checkPrefix).size()), ',');
  if (!isDeviceCheck(text) || names.size() != 2) {
    return fail(where, text, "does not name two devices", "write check:cuda,cpu");
  }
  SLIPSTREAM_TRY(one, parseDeviceName(names[0], where));
  SLIPSTREAM_TRY(other, parseDeviceName(names[1], where));
  return std::pair{one, other};
}

}  // namespace slipstream
