// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/cuda/cuda_device.h"
#include "engine/nn/cuda/cuda_backend.h"
#include "engine/nn/cuda/cuda_ops.h"
#include "engine/nn/cuda/cudnn_convolutions.h"
#include "engine/nn/cuda/layers/image_input.h"
#include "engine/nn/cuda/layers/loss.h"
#include "engine/nn/cuda/layers/ops_backend.h"

namespace slipstream {
namespace {

/// First among the bases, so that it is there before and after everything that refers to it.
struct CudaLibraries {
  explicit CudaLibraries(Device& device) : products(device), convolutions(makeCudnnConvolutions(device.queue())) {}

  MatrixProducts products;
  std::unique_ptr<ConvolutionRunner> convolutions;
};

class CudaBackend final : private CudaLibraries, public OpsBackend<CudaOps> {
 public:
  explicit CudaBackend(Device& device)
      : CudaLibraries(device), OpsBackend<CudaOps>(CudaOps(device.queue(), &products, convolutions.get())) {}
};

}  // namespace

std::unique_ptr<NetworkBackend> makeCudaBackend(Device& device) {
  return std::make_unique<CudaBackend>(device);
}

std::unique_ptr<DeviceLoss> makeCudaLoss(Device& device) {
  return std::make_unique<LossOn<CudaOps>>(device, CudaOps(device.queue(), nullptr, nullptr));
}

std::unique_ptr<ImageInput> makeCudaImageInput(Device& device, const ImageNormalization& normalization) {
  const CudaOps ops(device.queue(), nullptr, nullptr);
  return std::make_unique<ImageInputOn<CudaOps>>(device, ops, normalization);
}

}  // namespace slipstream
