// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device/device.h"
#include "engine/nn/optimizer_kernels.h"

namespace slipstream::bench {

/// Without the plug board of backends/, which needs MPI. Throws Error for a device that this program was built without.
const OptimizerKernels& optimizerOf(const Device& device);

}  // namespace slipstream::bench
