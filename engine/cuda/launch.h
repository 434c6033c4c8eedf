// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime.h>

#include "engine/cuda/cuda_queue.h"

namespace slipstream {

/// Starts a kernel behind what `stream` was given, by a call of the runtime and not by syntax of its own, so that tests
/// can put their own runtime in its place (tests/emulated_gpu). Throws Error with the runtime's own words; `what` says
/// what was being started.
template <class... Parameters, class... Arguments>
void launchOn(cudaStream_t stream, const char* what, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
              const Arguments&... arguments) {
  cudaLaunchConfig_t grid{};
  grid.gridDim = dim3(blocks);
  grid.blockDim = dim3(threads);
  grid.stream = stream;
  checkCuda(cudaLaunchKernelEx(&grid, kernel, arguments...), what);
}

/// In a GPU's queue.
template <class... Parameters, class... Arguments>
void launch(DeviceQueue& queue, const char* what, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
            const Arguments&... arguments) {
  launchOn(cudaQueue(queue).stream(), what, kernel, blocks, threads, arguments...);
}

}  // namespace slipstream
