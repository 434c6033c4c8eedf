#pragma once

#include <string>

#include <cuda_runtime_api.h>

#include "engine/base/error.h"

namespace slipstream {

/// Throws Error with the runtime's own words; `what` says what was being done.
inline void checkCuda(cudaError_t result, const char* what) {
  if (result == cudaSuccess) return;
  throw Error(std::string("CUDA: ") + what + ": " + cudaGetErrorString(result));
}

}  // namespace slipstream
