// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <cuda_runtime_api.h>

#include "engine/base/error.h"

namespace slipstream {

/// Throws Error with the runtime's own words and its name for the failure; `what` says what was being done, with sizes.
/// A failure of an earlier kernel may come to light in any later call: the runtime's words tell.
inline void checkCuda(cudaError_t result, const std::string& what) {
  if (result == cudaSuccess) return;
  cudaGetLastError();  // else the next kernel would seem to have failed, where somebody goes on after this
  throw Error("CUDA: " + what + ": " + cudaGetErrorString(result) + " (" + cudaGetErrorName(result) + ")");
}
/// Without a copy of the words where nothing failed.
inline void checkCuda(cudaError_t result, const char* what) {
  if (result != cudaSuccess) checkCuda(result, std::string(what));
}

}  // namespace slipstream
