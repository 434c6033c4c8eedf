// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda.h"
#include "engine/base/error.h"

namespace slipstream {

// No CUDA toolkit was found when this was configured (cmake/Cuda.cmake), so there are no kernels to plug in.
KernelTables cudaKernelTables() {
  throw Error("this build has no CUDA");
}

}  // namespace slipstream
