// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/device_name.h"

#include <algorithm>

#include "engine/base/text.h"
#include "engine/plan/fields.h"

namespace slipstream {
namespace {

constexpr int mostGpus = 16;
constexpr const char* checkPrefix = "check:";

std::vector<std::string> allNames() {
  std::vector<std::string> names{"cpu", "cuda"};
  for (int number = 0; number < mostGpus; ++number) names.push_back("cuda:" + std::to_string(number));
  return names;
}

}  // namespace

const std::vector<std::string>& deviceNames() {
  static const std::vector<std::string> names = allNames();
  return names;
}

Result<DeviceName> parseDeviceName(const std::string& text, const std::string& where) {
  const auto& names = deviceNames();
  if (std::find(names.begin(), names.end(), text) == names.end()) {
    return fail(where, text, "names no device", "write cpu, cuda, or cuda:0 to cuda:" + std::to_string(mostGpus - 1));
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return DeviceName{text};
  return DeviceName{text.substr(0, colon), std::stoi(text.substr(colon + 1))};
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
