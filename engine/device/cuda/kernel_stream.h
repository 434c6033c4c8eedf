// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cuda_runtime_api.h>

namespace slipstream {

/// The stream of all that a device is given but started copies: kernels of ours and of libraries, copies inside. It is
/// the calling thread's own default stream. The legacy one, which all threads share, cannot be recorded, and work on it
/// ends what another thread records; so nothing here may use that, not even by cudaMemcpy or by waiting for the whole
/// device.
inline cudaStream_t kernelStream() {
  return cudaStreamPerThread;
}

}  // namespace slipstream
