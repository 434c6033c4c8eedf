#include <span>
#include <vector>

#include "engine/boost/dim_reduce/kernels.h"
#include "engine/device/cuda/elements.h"
#include "engine/device/cuda/sums.h"
#include "engine/device/tensor_parts.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 128;
constexpr unsigned blockWarps = blockThreads / warpThreads;
/// Rows whose sums a thread keeps in registers while it reads the vector once.
constexpr int tileRows = 16;

/// Elements [i, i + 4) of `values`, zeros behind the end. Who takes an element does not depend on addresses.
__device__ Pack<float, 4> loadFour(const float* values, std::size_t i, std::size_t end) {
  if (i + 4 <= end && takeFour(values + i)) return load<4>(values + i);
  Pack<float, 4> four;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) four.of[k] = i + k < end ? values[i + k] : 0.0F;
  return four;
}

/// One block a chunk of columns and tile of rows: partials[row * chunks + chunk] = the chunk's share of row times
/// vector. A product of two floats is exact in double, so that the fused multiply-add rounds as often as the CPU does.
__global__ void __launch_bounds__(blockThreads)
    projectChunks(DeviceRows rows, const float* vector, std::size_t elements, unsigned chunks, double* partials) {
  const unsigned chunk = blockIdx.x % chunks;
  const std::size_t firstRow = static_cast<std::size_t>(blockIdx.x / chunks) * tileRows;
  const std::size_t begin = chunk * chunkElements;
  const std::size_t end = begin + chunkElements < elements ? begin + chunkElements : elements;
  double sums[tileRows] = {};
  for (std::size_t i = begin + 4 * threadIdx.x; i < end; i += 4 * blockThreads) {
    const Pack<float, 4> of = loadFour(vector, i, end);
#pragma unroll
    for (int r = 0; r < tileRows; ++r) {
      if (firstRow + r >= rows.count) break;
      const Pack<float, 4> values = loadFour(rows.values + (firstRow + r) * rows.stride, i, end);
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        sums[r] = fma(static_cast<double>(values.of[k]), static_cast<double>(of.of[k]), sums[r]);
      }
    }
  }
  __shared__ double sumOfWarp[blockWarps][tileRows];
#pragma unroll
  for (int r = 0; r < tileRows; ++r) {
    const double sum = warpSum(sums[r]);
    if (threadIdx.x % warpThreads == 0) sumOfWarp[threadIdx.x / warpThreads][r] = sum;
  }
  __syncthreads();
  const std::size_t row = firstRow + threadIdx.x;
  if (threadIdx.x >= tileRows || row >= rows.count) return;
  double sum = 0;
  for (unsigned warp = 0; warp < blockWarps; ++warp) sum += sumOfWarp[warp][threadIdx.x];
  partials[row * chunks + chunk] = sum;
}

void project(DeviceRows rows, const float* vector, std::size_t elements, double* coefficients) {
  const auto chunks = static_cast<unsigned>((elements + chunkElements - 1) / chunkElements);
  const auto tiles = static_cast<unsigned>((rows.count + tileRows - 1) / tileRows);
  double* totals = kernelScratch<double>(rows.count * (chunks + 1));
  double* partials = totals + rows.count;
  if (chunks * tiles > 0) {
    launch("project a vector", projectChunks, chunks * tiles, blockThreads, rows, vector, elements, chunks, partials);
  }
  totalChunks(partials, chunks, nullptr, 1, static_cast<unsigned>(rows.count), totals);
  download<double>({coefficients, rows.count}, totals, "read a projection");
}

/// In the order of the rows, rounded once, as on the CPU.
struct BackProjection {
  DeviceRows rows;
  const double* coefficients;  ///< of the GPU
  float* vector;

  template <int Width>
  __device__ void at(std::size_t i) const {
    double sums[Width] = {};
#pragma unroll 8
    for (std::size_t row = 0; row < rows.count; ++row) {
      const auto values = load<Width>(rows.values + row * rows.stride + i);
      for (int k = 0; k < Width; ++k) sums[k] += coefficients[row] * static_cast<double>(values.of[k]);
    }
    Pack<float, Width> rounded;
    for (int k = 0; k < Width; ++k) rounded.of[k] = static_cast<float>(sums[k]);
    store(vector + i, rounded);
  }
};

void backProject(DeviceRows rows, const double* coefficients, float* vector, std::size_t elements) {
  double* by = kernelScratch<double>(rows.count);
  upload<double>(by, {coefficients, rows.count});
  forElements("project back", BackProjection{rows, by, vector}, elements,
              rows.stride % 4 == 0 && takeFour(rows.values, vector));
}

struct ResidualStep {
  float decay;
  const float* gradient;
  const float* inside;
  float* momentum;

  template <int Width>
  __device__ void at(std::size_t i) const {
    const auto all = load<Width>(gradient + i);
    const auto part = load<Width>(inside + i);
    auto kept = load<Width>(momentum + i);
    for (int k = 0; k < Width; ++k) kept.of[k] = decay * kept.of[k] + (all.of[k] - part.of[k]);
    store(momentum + i, kept);
  }
};

void residualStep(float decay, const float* gradient, const float* inside, float* momentum, std::size_t elements) {
  forElements("step a residual", ResidualStep{decay, gradient, inside, momentum}, elements,
              takeFour(gradient, inside, momentum));
}

struct MoveAlong {
  const float* start;
  float rate;
  const float* direction;
  float* moved;

  template <int Width>
  __device__ void at(std::size_t i) const {
    auto values = load<Width>(start + i);
    const auto along = load<Width>(direction + i);
    for (int k = 0; k < Width; ++k) values.of[k] += rate * along.of[k];
    store(moved + i, values);
  }
};

void moveAlong(const float* start, float rate, const float* direction, float* moved, std::size_t elements) {
  forElements("move along a direction", MoveAlong{start, rate, direction, moved}, elements,
              takeFour(start, direction, moved));
}

}  // namespace

const DimReduceKernels& cudaDimReduceKernels() {
  static constexpr DimReduceKernels kernels{project, backProject, residualStep, moveAlong};
  return kernels;
}

}  // namespace slipstream
