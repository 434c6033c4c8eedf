// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/network_backend.h"
#include "tests/nn/cuda/host_ops.h"
#include "tests/train/support/protected_tools.h"

namespace slipstream::test {

/// What a protected device trains with as a GPU would: the GPU's layers and loss, whose kernels are loops on the host
/// that unlock its memory while they run; the boost kernels are the CPU's, as in protectedTools().
TrainingTools protectedGpuTools(ProtectedDevice& device);

/// The same with images in fp16, where convolutions work for the batch norms around them.
TrainingTools protectedGpuToolsInFp16(ProtectedDevice& device);

/// What its networks run on.
std::unique_ptr<NetworkBackend> makeProtectedBackend(ProtectedDevice& device, const HostFusing& fusing = {});

}  // namespace slipstream::test
