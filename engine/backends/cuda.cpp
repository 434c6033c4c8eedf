// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/backends/cuda.h"

#include "engine/boost/algorithms.h"

namespace slipstream {

KernelTables cudaKernelTables() {
  KernelTables tables;
  tables.add(cudaVectorKernels());
  tables.add(cudaOptimizerKernels());
  Algorithms::forEach([&]<class Algorithm>() {
    if constexpr (requires { Algorithm::addCudaKernels(tables); }) Algorithm::addCudaKernels(tables);
  });
  return tables;
}

}  // namespace slipstream
