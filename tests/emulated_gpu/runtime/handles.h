// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include <cuda_runtime_api.h>

#include "tests/emulated_gpu/runtime/memory.h"
#include "tests/emulated_gpu/runtime/streams.h"

// What the runtime's handles point to.

struct CUstream_st {
  emulated_gpu::StreamPointer stream;
};

struct CUevent_st {
  int device = 0;
  std::shared_ptr<emulated_gpu::EventCounts> counts;
  bool isShared = false;

  /// Its last record.
  emulated_gpu::Mark last() const { return {counts, counts->recorded.load()}; }
};

struct CUgraph_st {
  emulated_gpu::Operations work;
};
struct CUgraphExec_st {
  emulated_gpu::Operations work;
};

namespace emulated_gpu {

/// Of the calling thread.
struct ThreadState {
  int device = 0;
  cudaError_t last = cudaSuccess;
  std::array<StreamPointer, deviceCount> ownStreams{};
  StreamPointer capturing{};  ///< what the thread writes down
};
ThreadState& threadState();

/// Notes a failure for cudaGetLastError().
cudaError_t noted(cudaError_t result);
/// Refuses what may not be called while the thread writes work down, and spoils that.
cudaError_t refuseWhileCapturing();
/// Of the handle; null for the legacy stream, which all threads share: nobody here may use it.
StreamPointer streamOf(cudaStream_t handle);

}  // namespace emulated_gpu
