#pragma once

// Kernels are functions of an index: a GPU runs them one thread an index, a test one after the other.
#ifdef __CUDACC__
#define SLIPSTREAM_HOST_DEVICE __host__ __device__
#else
#define SLIPSTREAM_HOST_DEVICE
#endif
