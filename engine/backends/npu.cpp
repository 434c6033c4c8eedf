// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/npu.h"

#include "engine/boost/algorithms.h"

namespace slipstream {

KernelTables npuKernelTables() {
  KernelTables tables;
  tables.add(npuVectorKernels());
  tables.add(npuOptimizerKernels());
  Algorithms::forEach([&]<class Algorithm>() {
    if constexpr (requires { Algorithm::addNpuKernels(tables); }) Algorithm::addNpuKernels(tables);
  });
  return tables;
}

}  // namespace slipstream
