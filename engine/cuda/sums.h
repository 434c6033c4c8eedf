// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/cuda/cuda_queue.h"
#include "engine/cuda/host_device.h"
#include "engine/device/tensor_segments.h"

namespace slipstream {

/// Segments whose chunks stay on the GPU. To be used with the queue that it was made in.
class CudaSegmentPlan final : public SegmentPlan {
 public:
  CudaSegmentPlan(CudaQueue& queue, std::span<const TensorSegment> segments)
      : CudaSegmentPlan(queue, segments, chunksOf(segments)) {}

  unsigned chunkCount() const { return chunkCount_; }
  const Chunk* chunks() const { return chunks_.data(); }
  /// As ChunkTable's.
  const std::uint32_t* first() const { return first_.data(); }

 private:
  CudaSegmentPlan(CudaQueue& queue, std::span<const TensorSegment> segments, const ChunkTable& table)
      : SegmentPlan({segments.begin(), segments.end()}),
        chunkCount_(static_cast<unsigned>(table.chunks.size())),
        chunks_(queue, table.chunks),
        first_(queue, table.first) {}

  unsigned chunkCount_;
  CudaTable<Chunk> chunks_;
  CudaTable<std::uint32_t> first_;
};

inline std::unique_ptr<SegmentPlan> makeCudaSegmentPlan(DeviceQueue& queue, std::span<const TensorSegment> segments) {
  return std::make_unique<CudaSegmentPlan>(cudaQueue(queue), segments);
}

/// Of a plan that a CUDA table made.
inline const CudaSegmentPlan& cudaPlan(const SegmentPlan& plan) {
  return static_cast<const CudaSegmentPlan&>(plan);
}

/// Sums whose order depends on nothing but their number, without atomic operations.

constexpr unsigned allLanes = 0xffffffffU;

/// The sum over the lanes of a warp, all of which must call it; the same in every lane.
__device__ inline double warpSum(double value) {
  for (unsigned apart = warpThreads / 2; apart > 0; apart /= 2) value += __shfl_xor_sync(allLanes, value, apart);
  return value;
}

__device__ inline std::uint32_t warpLargest(std::uint32_t value) {
  for (unsigned apart = warpThreads / 2; apart > 0; apart /= 2) {
    const std::uint32_t other = __shfl_xor_sync(allLanes, value, apart);
    value = other > value ? other : value;
  }
  return value;
}

/// The sum over the threads of a block of whole warps, all of which must call it; the same in every thread.
__device__ inline double blockSum(double value) {
  __shared__ double sums[32];
  value = warpSum(value);
  __syncthreads();  // an earlier call's sums have been read
  if (threadIdx.x % warpThreads == 0) sums[threadIdx.x / warpThreads] = value;
  __syncthreads();
  double sum = 0;
  for (unsigned warp = 0; warp < blockDim.x / warpThreads; ++warp) sum += sums[warp];
  return sum;
}

/// totals[segment * kinds + kind] = sum of partials[kind * chunks + chunk] over the segment's chunks, always in the
/// same order. `first`: as ChunkTable's; null: all chunks are of one segment. All pointers are the GPU's.
void totalChunks(DeviceQueue& queue, const double* partials, unsigned chunks, const std::uint32_t* first,
                 unsigned segments, unsigned kinds, double* totals);

}  // namespace slipstream
