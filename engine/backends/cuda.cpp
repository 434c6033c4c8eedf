#include "engine/backends/cuda.h"

namespace slipstream {

KernelTables cudaKernelTables() {
  KernelTables tables;
  tables.adasumFloat = &cudaAdasumKernels<float>();
  tables.adasumDouble = &cudaAdasumKernels<double>();
  tables.optimizer = &cudaOptimizerKernels();
  tables.vectors = &cudaVectorKernels();
  tables.lossScale = &cudaLossScaleKernels();
  tables.gradCentralization = &cudaGradCentralizationKernels();
  return tables;
}

}  // namespace slipstream
