// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/error.h"
#include "tests/bench/optimizer_of_device.h"

namespace slipstream::bench {

// Built without CUDA.
const OptimizerKernels& optimizerOf(const Device& device) {
  if (&device.kind() != &cpuKind()) throw Error("this build has no CUDA");
  return cpuOptimizerKernels();
}

}  // namespace slipstream::bench
