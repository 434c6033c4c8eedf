// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Kernels are functions of an index: a GPU runs them one thread an index, a test one after the other.
#ifdef __CUDACC__
#define SLIPSTREAM_HOST_DEVICE __host__ __device__
#else
#define SLIPSTREAM_HOST_DEVICE
#endif
// Before a loop whose results are to stay in registers. The host's compiler warns of what it does not know.
#ifdef __CUDA_ARCH__
#define SLIPSTREAM_UNROLL _Pragma("unroll")
#else
#define SLIPSTREAM_UNROLL
#endif

namespace slipstream {

constexpr unsigned warpThreads = 32;

}  // namespace slipstream
