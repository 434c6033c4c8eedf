#include "engine/base/error.h"
#include "engine/device/cuda/cuda_device.h"

namespace slipstream {

// No CUDA toolkit was found when this was configured (cmake/Packages.cmake), so there is nothing to open.
Result<std::unique_ptr<Device>> openCudaDevice(int, MemoryMeter&) {
  return fail("device", "cuda", "this build has no CUDA", "use cpu, or build where nvcc is found (SLIPSTREAM_CUDA=ON)");
}
std::unique_ptr<CudaStream> makeCudaStream() {
  throw Error("this build has no CUDA");
}

}  // namespace slipstream
