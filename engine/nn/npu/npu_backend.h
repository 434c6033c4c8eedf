// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/failure.h"
#include "engine/nn/device_loss.h"
#include "engine/nn/image_input.h"
#include "engine/nn/network_backend.h"

namespace slipstream {

/// Networks on an NPU, by Ascend's operators (aclnn), all in order on the device's working stream, as copies and the
/// kernels of optimizers and boosts are. Throws Error where a library of CANN is missing on this machine.
std::unique_ptr<NetworkBackend> makeNpuBackend(Device& device);

/// What this machine lacks for such networks; empty: nothing.
Failures missingNpuLibraries();

/// The loss on the same stream: softmax in fp32, the sum over the samples in double on the host.
std::unique_ptr<DeviceLoss> makeNpuLoss(Device& device);

/// On the same stream.
std::unique_ptr<ImageInput> makeNpuImageInput(Device& device, const ImageNormalization& normalization);

}  // namespace slipstream
