// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "engine/nn/cuda/cuda_backend.h"

namespace slipstream {
namespace {

// No CUDA toolkit with cuDNN's and cuBLASLt's headers was found when this was configured (cmake/Cuda.cmake).
constexpr const char* problem = "this build has no networks on CUDA";
constexpr const char* remedy = "build where CUDA Toolkit 13, cudnn.h of cuDNN 9 and cublasLt.h are found";

[[noreturn]] void refuse() {
  throw Error(std::string(problem) + ": " + remedy);
}

}  // namespace

Failures missingCudaLibraries() {
  return {{"device", "", problem, remedy}};
}

std::unique_ptr<NetworkBackend> makeCudaBackend(Device&) {
  refuse();
}
std::unique_ptr<DeviceLoss> makeCudaLoss(Device&) {
  refuse();
}
std::unique_ptr<ImageInput> makeCudaImageInput(Device&, const ImageNormalization&) {
  refuse();
}

}  // namespace slipstream
