// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/device/device.h"

namespace slipstream {

/// The host's own memory; every operation has ended when it returns.
std::unique_ptr<Device> openCpuDevice(MemoryMeter& meter);

}  // namespace slipstream
