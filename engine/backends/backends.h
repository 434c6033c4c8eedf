// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/boost/kernel_tables.h"
#include "engine/device/device.h"

namespace slipstream {

/// The plug board: which kernel tables a device has. Throws Error for a device that this program was built without.
KernelTables kernelTables(const Device& device);

/// The same for training, which needs all of them: throws Error where the device lacks one.
KernelTables trainingKernels(const Device& device);

/// How far one kernel's results on two devices lie apart, as a share of the largest result; NaN where only one of two
/// results is a number.
struct KernelDifference {
  std::string kernel;
  double largest = 0;
};

/// Runs every kernel that both devices have on the same inputs (checkInputs()), and keeps the largest differences.
/// Products of centred rows are the host's where a device has no kernel for them.
std::vector<KernelDifference> compareDevices(Device& one, Device& other);

}  // namespace slipstream
