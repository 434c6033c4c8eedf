// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/backends.h"

#include <algorithm>
#include <array>

#include "engine/backends/cuda.h"
#include "engine/backends/npu.h"
#include "engine/base/error.h"
#include "engine/base/text.h"

namespace slipstream {

KernelTables kernelTables(const Device& device) {
  struct Tables {
    const DeviceKind& (*kind)();
    KernelTables (*make)();
  };
  static constexpr std::array<Tables, 4> all{{{cpuKind, cpuKernelTables},
                                              {cudaKind, cudaKernelTables},
                                              {npuKind, npuKernelTables},
                                              {npuTwinKind, npuKernelTables}}};
  const auto fits = [&](const Tables& tables) { return &tables.kind() == &device.kind(); };
  const auto tables = std::ranges::find_if(all, fits);
  if (tables == all.end()) throw Error("no kernels for the device " + device.kind().name);
  return tables->make();
}

KernelTables trainingKernels(const Device& device) {
  const KernelTables tables = kernelTables(device);
  const std::vector<std::string> missing = tables.lacks(cpuKernelTables());
  if (!missing.empty()) {
    throw Error("the device " + device.kind().name + " has no kernels for training: it lacks " + join(missing, ", "));
  }
  return tables;
}

}  // namespace slipstream
