// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/cuda/cuda_device.h"

namespace slipstream {
namespace {

// No CUDA toolkit was found when this was configured (cmake/Cuda.cmake), so there is nothing to open.
tl::unexpected<Failures> absent() {
  return fail("device", cudaKind().name, "this build has no CUDA",
              "build where CUDA Toolkit 13 is found (SLIPSTREAM_CUDA=ON)");
}

}  // namespace

Result<std::vector<CudaGpu>> listCudaGpus() {
  return absent();
}
Result<std::unique_ptr<Device>> openCudaDevice(int, MemoryMeter&, Recording) {
  return absent();
}
CudaStream::CudaStream() {
  throw Error("this build has no CUDA");
}
CudaStream::~CudaStream() = default;
bool CudaStream::idle() const {
  return true;
}
void CudaStream::synchronize() const {}

}  // namespace slipstream
