// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/device/cuda/workspace.h"

namespace slipstream {

/// Starts a kernel. Throws Error with the runtime's own words; `what` says what was being started.
template <class... Parameters, class... Arguments>
void launch(const char* what, void (*kernel)(Parameters...), unsigned blocks, unsigned threads,
            const Arguments&... arguments) {
  kernel<<<blocks, threads, 0, kernelStream()>>>(arguments...);
  checkCuda(cudaGetLastError(), what);
}

}  // namespace slipstream
