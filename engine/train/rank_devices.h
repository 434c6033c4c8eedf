// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/comm/communicator.h"
#include "engine/device/device.h"
#include "engine/wire/link.h"

namespace slipstream {

/// The device that the plan gives a rank. Throws Error where it is not there.
std::unique_ptr<Device> openPlannedDevice(const RunPlan& plan, int rank, MemoryMeter& meter, Recording recording);

/// How ranks exchange what lies on devices: null where vectors are memory of the host, which MPI (`messages`) carries
/// itself. Every rank decides alike, whatever its host has installed, and whichever of them the library does not begin
/// on. Collective.
std::unique_ptr<Communicator> joinDevices(const RunPlan& plan, Communicator& messages, Device& device, Link& link);

/// Marks that peers may wait for go when all have ended, and memory that they have opened when all have let go of it.
/// Collective.
void leaveDevices(std::unique_ptr<Communicator> ofDevices, Communicator& messages, Device& device);

}  // namespace slipstream
