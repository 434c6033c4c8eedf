// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/device/device.h"
#include "engine/spec/device_kind.h"

namespace slipstream {

/// Adds to the last failure's remedy that the CPU can be used instead.
void offerTheCpu(Failures& failures);

/// A device of this machine.
struct FoundDevice {
  int number = 0;
  std::string model;
  std::int64_t memoryBytes = 0;
};

/// The devices of this machine that a kind with numbers has here; a failure where there is none, or its libraries are
/// not.
Result<std::vector<FoundDevice>> listDevices(const DeviceKind& kind);

/// Opens device number `id` of the kind, or says what is missing and what to do about it.
/// `meter` must outlive the device.
Result<std::unique_ptr<Device>> openDevice(const DeviceKind& kind, int id, MemoryMeter& meter,
                                           Recording recording = Recording::on);

}  // namespace slipstream
