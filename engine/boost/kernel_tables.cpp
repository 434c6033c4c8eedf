// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/kernel_tables.h"

namespace slipstream {

KernelTables cpuKernelTables() {
  return {&cpuAdasumKernels<float>(), &cpuAdasumKernels<double>(),     &cpuVectorKernels(),   &cpuOptimizerKernels(),
          &cpuLossScaleKernels(),     &cpuGradCentralizationKernels(), &cpuDimReduceKernels()};
}

}  // namespace slipstream
