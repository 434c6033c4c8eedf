// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/backends.h"

#include "engine/backends/cuda.h"
#include "engine/base/error.h"

namespace slipstream {

KernelTables kernelTables(const Device& device) {
  if (device.name() == "cpu") return cpuKernelTables();
  if (device.name() == "cuda") return cudaKernelTables();
  throw Error("no kernels for the device " + std::string(device.name()));
}

KernelTables trainingKernels(const Device& device) {
  const KernelTables tables = kernelTables(device);
  const bool complete = tables.adasumFloat && tables.vectors && tables.optimizer && tables.lossScale &&
                        tables.gradCentralization && tables.dimReduce;
  if (!complete) throw Error("the device " + std::string(device.name()) + " has no kernels for training yet; use cpu");
  return tables;
}

}  // namespace slipstream
