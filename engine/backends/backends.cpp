#include "engine/backends/backends.h"

#include "engine/backends/cuda.h"
#include "engine/base/error.h"

namespace slipstream {

KernelTables kernelTables(const Device& device) {
  if (device.name() == "cpu") return {&cpuAdasumKernels<float>(), &cpuAdasumKernels<double>()};
  if (device.name() == "cuda") return cudaKernelTables();
  throw Error("no kernels for the device " + std::string(device.name()));
}

}  // namespace slipstream
