// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>

#include "engine/base/error.h"
#include "engine/device/device.h"

namespace slipstream {

/// Whether the bytes are memory of the device that code of the host must not touch. Empty ones are not.
inline bool isOfDevice(const Device& device, std::span<const std::byte> bytes) {
  return !bytes.empty() && device.holds(bytes.data());
}

/// Whether the memory that an operation is given, ranges of spans, is the device's; empty spans are of both kinds, and
/// nothing but empty ones is the host's. Throws Error where some is the device's and some the host's: whichever way it
/// went, one side would be read or written by what cannot.
template <class... Ranges>
bool areOfDevice(const Device& device, const char* operation, const Ranges&... ranges) {
  bool devices = false;
  bool hosts = false;
  const auto look = [&](std::span<const std::byte> bytes) {
    if (!bytes.empty()) (device.holds(bytes.data()) ? devices : hosts) = true;
  };
  (std::ranges::for_each(ranges, look), ...);
  if (devices && hosts) {
    throw Error(std::string(operation) + ": memory of a device and of the host in one operation");
  }
  return devices;
}

}  // namespace slipstream
