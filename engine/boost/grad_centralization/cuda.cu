#include <algorithm>

#include "engine/boost/grad_centralization/kernels.h"
#include "engine/device/cuda/launch.h"
#include "engine/device/cuda/sums.h"

namespace slipstream {
namespace {

/// One block a row, which the second pass finds in its cache.
__global__ void centralizeRows(float* values, const float* of, std::size_t columns, double factor) {
  const std::size_t begin = blockIdx.x * columns;
  double sum = 0;
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) sum += static_cast<double>(of[begin + i]);
  const auto mean = static_cast<float>(factor * (blockSum(sum) / static_cast<double>(columns)));
  for (std::size_t i = threadIdx.x; i < columns; i += blockDim.x) values[begin + i] -= mean;
}

/// Eight elements or more a thread: short rows share a processor with many others.
unsigned threadsFor(std::size_t columns) {
  const std::size_t warps = columns / (8 * warpThreads);
  return static_cast<unsigned>(std::clamp<std::size_t>(warps, 1, 8)) * warpThreads;
}

void subtractRowMeans(float* values, const float* of, std::size_t rows, std::size_t columns, double factor) {
  if (rows == 0 || columns == 0) return;
  launch("centralise rows", centralizeRows, static_cast<unsigned>(rows), threadsFor(columns), values, of, columns,
         factor);
}

}  // namespace

const GradCentralizationKernels& cudaGradCentralizationKernels() {
  static constexpr GradCentralizationKernels kernels{subtractRowMeans};
  return kernels;
}

}  // namespace slipstream
