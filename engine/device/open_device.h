// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/base/failure.h"
#include "engine/device/memory.h"
#include "engine/device/recording.h"

namespace slipstream {

/// Opens device number `id` of the kind `name` ("cpu" or "cuda"), or says what is missing and what to do about it.
/// `meter` must outlive the device.
Result<std::unique_ptr<Device>> openDevice(const std::string& name, int id, MemoryMeter& meter,
                                           Recording recording = Recording::on);

}  // namespace slipstream
