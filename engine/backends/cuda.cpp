// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda.h"

namespace slipstream {

KernelTables cudaKernelTables() {
  return {&cudaAdasumKernels<float>(), &cudaAdasumKernels<double>(), &cudaVectorKernels(),
          &cudaOptimizerKernels(),     &cudaLossScaleKernels(),      &cudaGradCentralizationKernels(),
          &cudaDimReduceKernels()};
}

}  // namespace slipstream
