// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/failure.h"
#include "engine/nn/device_loss.h"
#include "engine/nn/image_input.h"
#include "engine/nn/network_backend.h"

namespace slipstream {

/// Networks on a GPU: convolutions by cuDNN, matrix products by cuBLASLt, the rest by kernels of ours, all in order in
/// the device's queue, as copies and the kernels of optimizers and boosts are, and with the same bits each
/// time. Throws Error where the program was built without CUDA, or a library is missing on this machine.
std::unique_ptr<NetworkBackend> makeCudaBackend(Device& device);

/// What this machine or this build lacks for such networks: cuDNN, cuBLASLt, or both; empty: nothing. Loads them, on
/// machines without a GPU too.
Failures missingCudaLibraries();

/// The loss in the same queue. Throws Error where the program was built without CUDA.
std::unique_ptr<DeviceLoss> makeCudaLoss(Device& device);

/// In the same queue. Throws Error where the program was built without CUDA.
std::unique_ptr<ImageInput> makeCudaImageInput(Device& device, const ImageNormalization& normalization);

}  // namespace slipstream
