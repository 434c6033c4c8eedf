// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/device/cpu_device.h"

namespace slipstream::test {

/// The CPU device with a meter of its own.
struct Host {
  MemoryMeter meter;
  std::unique_ptr<Device> device = openCpuDevice(meter);
};

}  // namespace slipstream::test
