#include "engine/backends/cuda.h"

namespace slipstream {

KernelTables cudaKernelTables() {
  return {&cudaAdasumKernels<float>(), &cudaAdasumKernels<double>()};
}

}  // namespace slipstream
