// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// A device as people name it: `cpu`, `cuda` (of its host's GPUs, each rank its own) or `cuda:1` (that GPU for every
/// rank).
struct DeviceName {
  std::string kind;
  std::optional<int> number = {};

  bool isGpu() const { return kind == "cuda"; }
};

/// Every name there is; a host has at most 16 GPUs.
const std::vector<std::string>& deviceNames();

/// `where` stands in the failure.
Result<DeviceName> parseDeviceName(const std::string& text, const std::string& where);

/// Whether the text names two devices to compare (`check:cuda,cpu`) instead of one.
bool isDeviceCheck(const std::string& text);

/// The two devices of `check:ONE,OTHER`.
Result<std::pair<DeviceName, DeviceName>> parseDeviceCheck(const std::string& text, const std::string& where);

}  // namespace slipstream
