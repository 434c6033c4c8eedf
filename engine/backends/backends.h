#pragma once

#include <string>
#include <vector>

#include "engine/boost/adasum/kernels.h"
#include "engine/device/memory.h"

namespace slipstream {

/// The plug board: which kernel tables a device has.
struct KernelTables {
  const AdasumKernels<float>* adasumFloat = nullptr;
  const AdasumKernels<double>* adasumDouble = nullptr;
};

/// Throws Error for a device that this program was built without.
KernelTables kernelTables(const Device& device);

/// How far one kernel's results on two devices lie apart, as a share of the largest result.
struct KernelDifference {
  std::string kernel;
  double largest = 0;
};

/// Runs every kernel that both devices have on the same inputs.
std::vector<KernelDifference> compareDevices(Device& one, Device& other);

}  // namespace slipstream
