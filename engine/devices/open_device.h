// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/base/failure.h"
#include "engine/device/device.h"
#include "engine/spec/device_kind.h"

namespace slipstream {

/// Adds to the last failure's remedy that the CPU can be used instead.
void offerTheCpu(Failures& failures);

/// Opens device number `id` of the kind, or says what is missing and what to do about it.
/// `meter` must outlive the device.
Result<std::unique_ptr<Device>> openDevice(const DeviceKind& kind, int id, MemoryMeter& meter,
                                           Recording recording = Recording::on);

}  // namespace slipstream
