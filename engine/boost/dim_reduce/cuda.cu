// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/dim_reduce/spec_scratch.h"
#include "engine/boost/kernel_tables.h"
#include "engine/cuda/elements.h"
#include "engine/cuda/sums.h"
#include "engine/device/tensor_segments.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 128;
constexpr unsigned blockWarps = blockThreads / warpThreads;
/// Rows whose sums a thread keeps in registers while it reads the vector once.
constexpr int tileRows = 16;

/// Rows of which a thread has loads on their way at once: enough to keep the memory busy.
constexpr int rowsAtOnce = 8;

/// Four values, together or one by one.
template <bool Packs>
__device__ Pack<float, 4> fourAt(const float* values) {
  if constexpr (Packs) {
    return load<4>(values);
  } else {
    return {values[0], values[1], values[2], values[3]};
  }
}

/// The thread's share of `tileRows` rows with the vector, for one quad of elements. Behind the last row that one is
/// read again, and its sums are dropped: nothing branches between the loads.
template <bool Packs>
__device__ void addFour(double (&sums)[tileRows], const DeviceRows& rows, std::size_t firstRow, const float* vector,
                        std::size_t i) {
  const Pack<float, 4> of = fourAt<false>(vector + i);
#pragma unroll
  for (int first = 0; first < tileRows; first += rowsAtOnce) {
    Pack<float, 4> values[rowsAtOnce];
#pragma unroll
    for (int r = 0; r < rowsAtOnce; ++r) {
      const std::size_t row = min(firstRow + first + r, rows.count - 1);
      values[r] = fourAt<Packs>(rows.values + row * rows.stride + i);
    }
#pragma unroll
    for (int r = 0; r < rowsAtOnce; ++r) {
#pragma unroll
      for (int k = 0; k < 4; ++k) {
        double& sum = sums[first + r];
        sum = fma(static_cast<double>(values[r].of[k]), static_cast<double>(of.of[k]), sum);
      }
    }
  }
}

/// One block a chunk of columns and tile of rows, the tiles of a chunk side by side, so that the vector is read from
/// memory once: partials[row * chunks + chunk] = the chunk's share of row times vector. A product of two floats is
/// exact in double, so that the fused multiply-add rounds as often as the CPU does. `Packs`: the rows' values stand for
/// quads.
template <bool Packs>
__global__ void __launch_bounds__(blockThreads)
    projectChunks(DeviceRows rows, const float* vector, std::size_t elements, unsigned chunks, unsigned tiles,
                  double* partials) {
  const unsigned chunk = blockIdx.x / tiles;
  const std::size_t firstRow = static_cast<std::size_t>(blockIdx.x % tiles) * tileRows;
  const std::size_t begin = chunk * chunkElements;
  const std::size_t end = begin + chunkElements < elements ? begin + chunkElements : elements;
  const std::size_t whole = begin + (end - begin) / 4 * 4;
  double sums[tileRows] = {};
  for (std::size_t i = begin + 4 * threadIdx.x; i < whole; i += 4 * blockThreads) {
    addFour<Packs>(sums, rows, firstRow, vector, i);
  }
  for (std::size_t i = whole + threadIdx.x; i < end; i += blockThreads) {
#pragma unroll
    for (int r = 0; r < tileRows; ++r) {
      const std::size_t row = min(firstRow + r, rows.count - 1);
      sums[r] = fma(static_cast<double>(rows.values[row * rows.stride + i]), static_cast<double>(vector[i]), sums[r]);
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

void project(DeviceQueue& queue, DeviceRows rows, const float* vector, std::size_t elements, double* coefficients) {
  const auto chunks = static_cast<unsigned>((elements + chunkElements - 1) / chunkElements);
  const auto tiles = static_cast<unsigned>((rows.count + tileRows - 1) / tileRows);
  double* totals = cudaQueue(queue).scratch<double>(rows.count * (chunks + 1));
  double* partials = totals + rows.count;
  if (chunks * tiles > 0) {
    const bool packs = rows.stride % 4 == 0 && behindAlignment(rows.values) == 0;
    launch(queue, "project a vector", packs ? projectChunks<true> : projectChunks<false>, chunks * tiles, blockThreads,
           rows, vector, elements, chunks, tiles, partials);
  }
  totalChunks(queue, partials, chunks, nullptr, 1, static_cast<unsigned>(rows.count), totals);
  cudaQueue(queue).download<double>({coefficients, rows.count}, totals, "read a projection");
}

/// Calls each(row, its elements [i, i + Width)) in the order of the rows, with several loads on their way at once.
template <int Width, class Each>
__device__ void forRows(const DeviceRows& rows, std::size_t i, const Each& each) {
  std::size_t row = 0;
  for (; row + rowsAtOnce <= rows.count; row += rowsAtOnce) {
    Pack<float, Width> values[rowsAtOnce];
#pragma unroll
    for (int r = 0; r < rowsAtOnce; ++r) values[r] = load<Width>(rows.values + (row + r) * rows.stride + i);
#pragma unroll
    for (int r = 0; r < rowsAtOnce; ++r) each(row + r, values[r]);
  }
  for (; row < rows.count; ++row) each(row, load<Width>(rows.values + row * rows.stride + i));
}

/// In the order of the rows, rounded once, as on the CPU.
struct BackProjection {
  DeviceRows rows;
  const double* coefficients;  ///< of the GPU
  float* vector;

  template <int Width>
  __device__ void at(std::size_t i) const {
    double sums[Width] = {};
    forRows<Width>(rows, i, [&](std::size_t row, const Pack<float, Width>& values) {
      for (int k = 0; k < Width; ++k) sums[k] += coefficients[row] * static_cast<double>(values.of[k]);
    });
    Pack<float, Width> rounded;
    for (int k = 0; k < Width; ++k) rounded.of[k] = static_cast<float>(sums[k]);
    store(vector + i, rounded);
  }
};

void backProject(DeviceQueue& queue, DeviceRows rows, const double* coefficients, float* vector, std::size_t elements) {
  double* by = cudaQueue(queue).scratch<double>(rows.count);
  cudaQueue(queue).upload<double>(by, {coefficients, rows.count});
  forElements(queue, "project back", BackProjection{rows, by, vector}, elements,
              rows.stride % 4 == 0 ? alignedQuads(elements, rows.values, vector) : AlignedQuads{});
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

void residualStep(DeviceQueue& queue, float decay, const float* gradient, const float* inside, float* momentum,
                  std::size_t elements) {
  forElements(queue, "step a residual", ResidualStep{decay, gradient, inside, momentum}, elements,
              alignedQuads(elements, gradient, inside, momentum));
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

void moveAlong(DeviceQueue& queue, const float* start, float rate, const float* direction, float* moved,
               std::size_t elements) {
  forElements(queue, "move along a direction", MoveAlong{start, rate, direction, moved}, elements,
              alignedQuads(elements, start, direction, moved));
}

/// The mean of all rows.
struct MeanRow {
  DeviceRows rows;
  double* mean;

  template <int Width>
  __device__ void at(std::size_t i) const {
    double sums[Width] = {};
    forRows<Width>(rows, i, [&](std::size_t, const Pack<float, Width>& values) {
      for (int k = 0; k < Width; ++k) sums[k] += static_cast<double>(values.of[k]);
    });
    for (int k = 0; k < Width; ++k) mean[i + k] = sums[k] / static_cast<double>(rows.count);
  }
};

/// Threads of a block along one side of its square of dot products, of which a thread makes `Each` x `Each`: for
/// stretches of 16 * Each rows.
constexpr unsigned gramSide = 16;
constexpr unsigned gramThreads = gramSide * gramSide;
template <unsigned Each>
constexpr unsigned gramRows = gramSide* Each;
/// Columns that are in shared memory at a time.
constexpr unsigned slabColumns = 16;

/// Centred values, by column: rows of the same column are side by side, and one value more, so that threads of
/// neighbouring columns store into different banks.
template <unsigned Each>
struct Slab {
  double of[slabColumns][gramRows<Each> + 1];
};

/// Zeros where there are no rows, and behind the last column. `mean` is of the columns from `firstColumn` on.
template <unsigned Each>
__device__ void loadSlab(Slab<Each>& slab, DeviceRows rows, const double* mean, std::size_t firstColumn,
                         std::size_t firstRow, std::size_t begin, std::size_t end) {
  const unsigned column = threadIdx.x % slabColumns;
  const std::size_t at = begin + column;
  for (unsigned r = threadIdx.x / slabColumns; r < gramRows<Each>; r += gramThreads / slabColumns) {
    const std::size_t row = firstRow + r;
    const bool there = row < rows.count && at < end;
    slab.of[column][r] =
        there ? static_cast<double>(rows.values[row * rows.stride + at]) - mean[at - firstColumn] : 0.0;
  }
}

/// A thread's rows and columns are `gramSide` apart, so that neighbouring threads read neighbouring values.
template <unsigned Each>
__device__ void addSlabs(double (&sums)[Each][Each], const Slab<Each>& left, const Slab<Each>& right, unsigned down,
                         unsigned across) {
#pragma unroll 4
  for (unsigned column = 0; column < slabColumns; ++column) {
#pragma unroll
    for (unsigned r = 0; r < Each; ++r) {
#pragma unroll
      for (unsigned c = 0; c < Each; ++c) {
        sums[r][c] = fma(left.of[column][down + r * gramSide], right.of[column][across + c * gramSide], sums[r][c]);
      }
    }
  }
}

/// The columns [begin, end) of a matrix, whose mean is at `mean`, and how they are split: `blocks` blocks a pair of row
/// stretches take chunks of columns in turn.
struct GramPiece {
  std::size_t begin;
  std::size_t end;
  const double* mean;
  unsigned blocks;
  bool first;  ///< of the matrix: nothing was added up yet
};

/// Pairs of row stretches are counted (0, 0), (0, 1) .. (1, 1) ..: the square of dot products of one is added up, block
/// by block and piece by piece, at partials[(pair * rows² + row * rows + column) * blocks + block].
template <unsigned Each>
__global__ void __launch_bounds__(gramThreads) gramOfPiece(DeviceRows rows, GramPiece piece, double* partials) {
  __shared__ Slab<Each> left;
  __shared__ Slab<Each> right;
  const unsigned pair = blockIdx.x / piece.blocks;
  const unsigned block = blockIdx.x % piece.blocks;
  const unsigned stretches = static_cast<unsigned>((rows.count + gramRows<Each> - 1) / gramRows<Each>);
  unsigned i = 0;
  unsigned j = pair;
  for (; j >= stretches - i; ++i) j -= stretches - i;
  j += i;
  const unsigned down = threadIdx.x / gramSide;
  const unsigned across = threadIdx.x % gramSide;
  double sums[Each][Each] = {};
  for (std::size_t chunk = piece.begin + block * gramColumns; chunk < piece.end; chunk += piece.blocks * gramColumns) {
    const std::size_t end = chunk + gramColumns < piece.end ? chunk + gramColumns : piece.end;
    for (std::size_t at = chunk; at < end; at += slabColumns) {
      loadSlab(left, rows, piece.mean, piece.begin, i * gramRows<Each>, at, end);
      if (i != j) loadSlab(right, rows, piece.mean, piece.begin, j * gramRows<Each>, at, end);
      __syncthreads();
      addSlabs(sums, left, i == j ? left : right, down, across);
      __syncthreads();
    }
  }
  for (unsigned r = 0; r < Each; ++r) {
    for (unsigned c = 0; c < Each; ++c) {
      const unsigned row = down + r * gramSide;
      const unsigned column = across + c * gramSide;
      double& sum =
          partials[((pair * gramRows<Each> + row) * gramRows<Each> + column) * std::size_t{piece.blocks} + block];
      sum = piece.first ? sums[r][c] : sum + sums[r][c];
    }
  }
}

/// Adds the squares of all pairs of row stretches of `side` rows to the upper triangle, and to the lower one what
/// mirrors it.
void addSquares(const std::vector<double>& squares, std::size_t side, std::size_t count, double* gram) {
  const double* square = squares.data();
  for (std::size_t i = 0; i < count; i += side) {
    for (std::size_t j = i; j < count; j += side, square += side * side) {
      for (std::size_t row = i; row < count && row < i + side; ++row) {
        for (std::size_t column = std::max(row, j); column < count && column < j + side; ++column) {
          const double dot = square[(row - i) * side + column - j];
          gram[row * count + column] += dot;
          if (column != row) gram[column * count + row] += dot;
        }
      }
    }
  }
}

/// Piece by piece of the columns, so that what is held on the way does not grow with them.
template <unsigned Each>
void addGramOfStretches(DeviceQueue& queue, DeviceRows rows, std::size_t elements, double* gram) {
  const GramScratch plan = gramScratch(rows.count);
  std::vector<double> squares(plan.entries);
  double* totals = cudaQueue(queue).scratch<double>(plan.bytes() / sizeof(double));
  double* partials = totals + plan.entries;
  double* mean = partials + plan.entries * plan.blocks;
  for (std::size_t begin = 0; begin < elements; begin += meanColumns) {
    const std::size_t columns = std::min(meanColumns, elements - begin);
    const DeviceRows part{rows.values + begin, rows.count, rows.stride};
    forElements(queue, "average rows", MeanRow{part, mean}, columns,
                rows.stride % 4 == 0 ? alignedQuads(columns, part.values) : AlignedQuads{});
    const GramPiece piece{begin, begin + columns, mean, plan.blocks, begin == 0};
    launch(queue, "multiply rows", gramOfPiece<Each>, plan.pairs * plan.blocks, gramThreads, rows, piece, partials);
  }
  totalChunks(queue, partials, plan.blocks, nullptr, 1, static_cast<unsigned>(plan.entries), totals);
  cudaQueue(queue).download<double>(squares, totals, "read the products of rows");
  addSquares(squares, gramRows<Each>, rows.count, gram);
}

void addCentredGram(DeviceQueue& queue, DeviceRows rows, std::size_t elements, double* gram) {
  if (elements == 0 || rows.count == 0) return;
  if (rows.count <= gramRows<2>) return addGramOfStretches<2>(queue, rows, elements, gram);
  addGramOfStretches<4>(queue, rows, elements, gram);
}

}  // namespace

const DimReduceKernels& cudaDimReduceKernels() {
  static constexpr DimReduceKernels kernels{project, backProject, residualStep, moveAlong, addCentredGram};
  return kernels;
}

void DimReduceAlgorithm::addCudaKernels(KernelTables& tables) {
  tables.add(cudaDimReduceKernels());
}

}  // namespace slipstream
