// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bench/optimizer_of_device.h"

namespace slipstream::bench {

const OptimizerKernels& optimizerOf(const Device& device) {
  return &device.kind() == &cpuKind() ? cpuOptimizerKernels() : cudaOptimizerKernels();
}

}  // namespace slipstream::bench
