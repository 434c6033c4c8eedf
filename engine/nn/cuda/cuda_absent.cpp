#include "engine/base/error.h"
#include "engine/nn/cuda/cuda_backend.h"

namespace slipstream {
namespace {

// No CUDA toolkit with cuDNN's and cuBLASLt's headers was found when this was configured (cmake/Cuda.cmake).
[[noreturn]] void refuse() {
  throw Error(
      "this build has no networks on CUDA: build where CUDA Toolkit 13, cudnn.h of cuDNN 9 and cublasLt.h are found");
}

}  // namespace

std::unique_ptr<NetworkBackend> makeCudaBackend(Device&) {
  refuse();
}
std::unique_ptr<DeviceLoss> makeCudaLoss(Device&) {
  refuse();
}
std::unique_ptr<PictureInput> makeCudaPictureInput(Device&, const PictureNormalization&) {
  refuse();
}

}  // namespace slipstream
