// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/grad_centralization/spec.h"
#include "engine/boost/kernel_tables.h"
#include "engine/cuda/launch.h"
#include "engine/cuda/sums.h"

namespace slipstream {
namespace {

/// The elements of the part that are in the block's row.
struct RowOfBlock {
  std::size_t begin;
  std::size_t end;
};

__device__ RowOfBlock rowOfBlock(RowsSegment part) {
  const std::size_t row = blockIdx.x;
  const std::size_t end = (row + 1) * part.columns - part.before;
  return {row == 0 ? 0 : row * part.columns - part.before, end < part.count ? end : part.count};
}

/// One block a row.
__global__ void sumRowsOf(const float* gradient, const float* weights, double decay, RowsSegment part, double* sums) {
  const RowOfBlock row = rowOfBlock(part);
  double sum = 0;
  for (std::size_t i = row.begin + threadIdx.x; i < row.end; i += blockDim.x) {
    sum += static_cast<double>(gradient[i]);
    if (decay != 0) sum += decay * static_cast<double>(weights[i]);
  }
  const double whole = blockSum(sum);
  if (threadIdx.x == 0) sums[blockIdx.x] = whole;
}

__global__ void subtractMeansOf(float* gradient, RowsSegment part, const double* sums) {
  const RowOfBlock row = rowOfBlock(part);
  const auto mean = static_cast<float>(sums[blockIdx.x] / static_cast<double>(part.columns));
  for (std::size_t i = row.begin + threadIdx.x; i < row.end; i += blockDim.x) gradient[i] -= mean;
}

/// Eight elements or more a thread: short rows share a processor with many others.
unsigned threadsFor(std::size_t columns) {
  const std::size_t warps = columns / (8 * warpThreads);
  return static_cast<unsigned>(std::clamp<std::size_t>(warps, 1, 8)) * warpThreads;
}

unsigned blocksFor(RowsSegment part) {
  return static_cast<unsigned>(part.rows());
}

void sumRows(DeviceQueue& queue, const float* gradient, const float* weights, double decay, RowsSegment part,
             double* sums) {
  if (part.count == 0) return;
  launch(queue, "sum rows", sumRowsOf, blocksFor(part), threadsFor(part.columns), gradient, weights, decay, part, sums);
}

void subtractMeans(DeviceQueue& queue, float* gradient, RowsSegment part, const double* sums) {
  if (part.count == 0) return;
  launch(queue, "centralise rows", subtractMeansOf, blocksFor(part), threadsFor(part.columns), gradient, part, sums);
}

}  // namespace

const GradCentralizationKernels& cudaGradCentralizationKernels() {
  static constexpr GradCentralizationKernels kernels{sumRows, subtractMeans};
  return kernels;
}

void GradCentralizationAlgorithm::addCudaKernels(KernelTables& tables) {
  tables.add(cudaGradCentralizationKernels());
}

}  // namespace slipstream
