// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/base/failure.h"
#include "engine/device/device.h"

namespace slipstream {

/// An NPU that the host stands in for: its kernels are those of an NPU, executed by TwinQueue, and its memory is the
/// host's. Every number names a device of its own.
Result<std::unique_ptr<Device>> openTwinDevice(int id, MemoryMeter& meter);

}  // namespace slipstream
