#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/boost/adasum/high_low.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"
#include "engine/device/cuda/elements.h"
#include "engine/device/cuda/part_plan.h"
#include "engine/device/cuda/sums.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 128;
constexpr unsigned blockWarps = blockThreads / warpThreads;
constexpr std::size_t mostVectors = 64;
/// Leaves of which a thread keeps all dot products in registers.
constexpr int tileLeaves = 8;

/// Pointers travel as kernel arguments: no copy, no table to keep alive.
template <class T>
struct Pointers {
  T* of[mostVectors];
};

template <class T>
Pointers<T> pointersOf(T* const* vectors, std::size_t count) {
  if (count > mostVectors) throw Error("Adasum on a GPU combines at most 64 vectors at a time");
  Pointers<T> pointers{};
  std::copy_n(vectors, count, pointers.of);
  return pointers;
}

/// The chunks of a plan, or of the only part of a call.
struct Chunks {
  const Chunk* table = nullptr;  ///< of the GPU; null: cut from `elements` as chunksOf would
  std::size_t elements = 0;
  unsigned count = 0;
  const std::uint32_t* first = nullptr;
  unsigned parts = 1;

  __device__ Chunk at(unsigned index) const {
    if (table != nullptr) return table[index];
    const std::size_t start = index * chunkElements;
    const std::size_t left = elements - start;
    return {start, static_cast<std::uint32_t>(left < chunkElements ? left : chunkElements), 0, 0};
  }
};

Chunks chunksOfOnePart(std::size_t elements) {
  return {nullptr, elements, static_cast<unsigned>((elements + chunkElements - 1) / chunkElements)};
}

Chunks chunksOfPlan(const CudaPartPlan& plan) {
  return {plan.chunks(), 0, plan.chunkCount(), plan.first(), static_cast<unsigned>(plan.parts().size())};
}

/// Elements [i, i + 4) of a chunk, zeros behind its end. Who takes an element does not depend on addresses.
template <class T>
__device__ Pack<T, 4> loadFour(const T* chunk, unsigned i, unsigned elements) {
  if (i + 4 <= elements && headOf(chunk) == 0) return load<4>(chunk + i);
  Pack<T, 4> values;
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) values.of[k] = i + k < elements ? chunk[i + k] : T(0);
  return values;
}

template <class T>
__device__ void storeFour(T* chunk, unsigned i, unsigned elements, const Pack<T, 4>& values) {
  if (i + 4 <= elements && headOf(chunk) == 0) return store(chunk + i, values);
#pragma unroll
  for (unsigned k = 0; k < 4; ++k) {
    if (i + k < elements) chunk[i + k] = values.of[k];
  }
}

/// Up to `Leaves` leaves from `begin` on, as far as there are any; zeros instead of the others.
template <int Leaves, class T>
__device__ void loadLeaves(Pack<T, 4> (&values)[Leaves], const Pointers<const T>& leaves, int begin, int count,
                           const Chunk& chunk, unsigned i) {
#pragma unroll
  for (int leaf = 0; leaf < Leaves; ++leaf) {
    const bool there = begin + leaf < count;
    values[leaf] = there ? loadFour(leaves.of[begin + leaf] + chunk.start, i, chunk.elements) : Pack<T, 4>{};
  }
}

/// One thread's share of the dot products of `Leaves` leaves from `row` on with as many from `column` on; on the
/// diagonal these are the same, and the pairs below it are left out. A product of two floats is exact in double, so
/// that the fused multiply-add rounds as often as the CPU does.
template <int Leaves, bool Diagonal, class T>
__device__ void addProducts(double (&sums)[Leaves][Leaves], const Pack<T, 4> (&left)[Leaves],
                            const Pack<T, 4> (&right)[Leaves]) {
#pragma unroll
  for (int k = 0; k < 4; ++k) {
#pragma unroll
    for (int r = 0; r < Leaves; ++r) {
#pragma unroll
      for (int c = Diagonal ? r : 0; c < Leaves; ++c) {
        sums[r][c] = fma(static_cast<double>(left[r].of[k]), static_cast<double>(right[c].of[k]), sums[r][c]);
      }
    }
  }
}

template <int Leaves, bool Diagonal, class T>
__device__ void sumTile(double (&sums)[Leaves][Leaves], const Pointers<const T>& leaves, int count, int row, int column,
                        const Chunk& chunk) {
  for (unsigned i = 4 * threadIdx.x; i < chunk.elements; i += 4 * blockThreads) {
    Pack<T, 4> left[Leaves];
    loadLeaves(left, leaves, row, count, chunk, i);
    if constexpr (Diagonal) {
      addProducts<Leaves, true>(sums, left, left);
    } else {
      Pack<T, 4> right[Leaves];
      loadLeaves(right, leaves, column, count, chunk, i);
      addProducts<Leaves, false>(sums, left, right);
    }
  }
}

/// Adds up the block's shares (lanes by a tree, then warps in their order), and leaves one sum a pair at
/// partials[pair * chunks + chunk].
template <int Leaves, bool Diagonal>
__device__ void writeTile(const double (&sums)[Leaves][Leaves], int count, int row, int column, unsigned chunk,
                          unsigned chunks, double* partials) {
  __shared__ double sumOfWarp[blockWarps][Leaves * Leaves];
#pragma unroll
  for (int r = 0; r < Leaves; ++r) {
#pragma unroll
    for (int c = Diagonal ? r : 0; c < Leaves; ++c) {
      const double sum = warpSum(sums[r][c]);
      if (threadIdx.x % warpThreads == 0) sumOfWarp[threadIdx.x / warpThreads][r * Leaves + c] = sum;
    }
  }
  __syncthreads();
  const int r = static_cast<int>(threadIdx.x) / Leaves;
  const int c = static_cast<int>(threadIdx.x) % Leaves;
  if (r >= Leaves || (Diagonal && c < r) || row + r >= count || column + c >= count) return;
  double sum = 0;
  for (unsigned warp = 0; warp < blockWarps; ++warp) sum += sumOfWarp[warp][threadIdx.x];
  partials[gramIndex(row + r, column + c, count) * chunks + chunk] = sum;
}

/// One block a chunk and tile of pairs; the tiles of a chunk stand side by side, to find its leaves in the cache.
template <class T, int Leaves, bool Diagonal>
__global__ void __launch_bounds__(blockThreads)
    dotsOfTile(const __grid_constant__ Pointers<const T> leaves, int count, const __grid_constant__ Chunks chunks,
               int tiles, double* partials) {
  const unsigned index = blockIdx.x / tiles;
  int row = 0;
  int across = static_cast<int>(blockIdx.x % tiles);
  if constexpr (!Diagonal) {
    // The pairs of different stretches of leaves, row by row: (0, 1), (0, 2) ..., (1, 2) ...
    int ofRow = (count - 1) / Leaves;
    for (; across >= ofRow; --ofRow, ++row) across -= ofRow;
    across += row + 1;
  } else {
    row = across;
  }
  double sums[Leaves][Leaves] = {};
  sumTile<Leaves, Diagonal>(sums, leaves, count, row * Leaves, across * Leaves, chunks.at(index));
  writeTile<Leaves, Diagonal>(sums, count, row * Leaves, across * Leaves, index, chunks.count, partials);
}

template <int Leaves, bool Diagonal, class T>
void launchTiles(const Pointers<const T>& leaves, std::size_t count, const Chunks& chunks, std::size_t tiles,
                 double* partials) {
  if (tiles == 0) return;
  launch("Adasum's dot products", dotsOfTile<T, Leaves, Diagonal>, static_cast<unsigned>(tiles) * chunks.count,
         blockThreads, leaves, static_cast<int>(count), chunks, static_cast<int>(tiles), partials);
}

template <class T>
void launchDots(const Pointers<const T>& leaves, std::size_t count, const Chunks& chunks, double* partials) {
  if (chunks.count == 0) return;
  if (count <= 2) return launchTiles<2, true>(leaves, count, chunks, 1, partials);
  if (count <= 4) return launchTiles<4, true>(leaves, count, chunks, 1, partials);
  const std::size_t stretches = (count + tileLeaves - 1) / tileLeaves;
  launchTiles<tileLeaves, true>(leaves, count, chunks, stretches, partials);
  launchTiles<tileLeaves, false>(leaves, count, chunks, stretches * (stretches - 1) / 2, partials);
}

/// Sums of every part, one behind the other; waits for them.
template <class T>
std::vector<double> dotsOfChunks(const Chunks& chunks, const T* const* leaves, std::size_t count) {
  const Pointers<const T> pointers = pointersOf(leaves, count);
  const std::size_t pairs = gramSize(count);
  std::vector<double> sums(pairs * chunks.parts);
  double* totals = kernelScratch<double>(sums.size() + pairs * chunks.count);
  double* partials = totals + sums.size();
  launchDots(pointers, count, chunks, partials);
  totalChunks(partials, chunks.count, chunks.first, chunks.parts, static_cast<unsigned>(pairs), totals);
  download<double>(sums, totals, "read Adasum's dot products");
  return sums;
}

template <class T>
void dots(const T* const* leaves, std::size_t count, std::size_t elements, double* sums) {
  std::ranges::copy(dotsOfChunks(chunksOfOnePart(elements), leaves, count), sums);
}

template <class T>
void dotsOfParts(const PartPlan& plan, const T* const* leaves, std::size_t count, double* sums) {
  const std::size_t pairs = gramSize(count);
  const std::vector<double> found = dotsOfChunks(chunksOfPlan(cudaPlan(plan)), leaves, count);
  for (std::size_t p = 0; p < plan.parts().size(); ++p) {
    std::copy_n(found.data() + p * pairs, pairs, sums + plan.parts()[p].tensor * pairs);
  }
}

/// Leaves that are loaded before the first of them is used.
constexpr int leavesAtOnce = 4;

/// One block a chunk. coefficients[part * count + leaf] of the GPU. An element is read of all leaves before it is
/// written, so that outputs may be leaves.
template <class T>
__global__ void __launch_bounds__(blockThreads)
    combineChunks(const __grid_constant__ Pointers<const T> leaves, int count, const __grid_constant__ Chunks chunks,
                  const double* coefficients, const __grid_constant__ Pointers<T> outputs, int outputCount) {
  const Chunk chunk = chunks.at(blockIdx.x);
  const double* by = coefficients + static_cast<std::size_t>(chunk.part) * count;
  for (unsigned i = 4 * threadIdx.x; i < chunk.elements; i += 4 * blockThreads) {
    double sums[4] = {};
    for (int begin = 0; begin < count; begin += leavesAtOnce) {
      Pack<T, 4> values[leavesAtOnce];
      loadLeaves(values, leaves, begin, count, chunk, i);
#pragma unroll
      for (int leaf = 0; leaf < leavesAtOnce; ++leaf) {
        if (begin + leaf >= count) break;
        for (int k = 0; k < 4; ++k) sums[k] += by[begin + leaf] * static_cast<double>(values[leaf].of[k]);
      }
    }
    Pack<T, 4> rounded;
    for (int k = 0; k < 4; ++k) rounded.of[k] = static_cast<T>(sums[k]);
    for (int o = 0; o < outputCount; ++o) storeFour(outputs.of[o] + chunk.start, i, chunk.elements, rounded);
  }
}

template <class T>
void combineOfChunks(const Chunks& chunks, const T* const* leaves, std::span<const double> coefficients,
                     std::size_t count, T* const* outputs, std::size_t outputCount) {
  if (chunks.count == 0) return;
  double* by = kernelScratch<double>(coefficients.size());
  upload<double>(by, coefficients);
  launch("Adasum's combination", combineChunks<T>, chunks.count, blockThreads, pointersOf(leaves, count),
         static_cast<int>(count), chunks, by, pointersOf(outputs, outputCount), static_cast<int>(outputCount));
}

template <class T>
void combine(const T* const* leaves, const double* coefficients, std::size_t count, std::size_t elements,
             T* const* outputs, std::size_t outputCount) {
  combineOfChunks(chunksOfOnePart(elements), leaves, {coefficients, count}, count, outputs, outputCount);
}

template <class T>
void combineParts(const PartPlan& plan, const T* const* leaves, const double* coefficients, std::size_t count,
                  T* const* outputs, std::size_t outputCount) {
  std::vector<double> byPart;
  for (const TensorPart& part : plan.parts()) {
    const double* ofTensor = coefficients + part.tensor * count;
    byPart.insert(byPart.end(), ofTensor, ofTensor + count);
  }
  combineOfChunks(chunksOfPlan(cudaPlan(plan)), leaves, byPart, count, outputs, outputCount);
}

/// A sum of twice a double's digits.
struct HighLow {
  double high;
  double low;
};

/// One block a chunk and pair: the rare case, written plainly. Thread sums are added up by a tree in shared memory.
template <class T>
__global__ void __launch_bounds__(blockThreads)
    exactDotsOfChunk(const __grid_constant__ Pointers<const T> leaves, int count, const __grid_constant__ Chunks chunks,
                     HighLow* partials) {
  int row = 0;
  int across = static_cast<int>(blockIdx.x / chunks.count);
  for (; across >= count - row; ++row) across -= count - row;
  const Chunk chunk = chunks.at(blockIdx.x % chunks.count);
  const T* left = leaves.of[row] + chunk.start;
  const T* right = leaves.of[row + across] + chunk.start;
  HighLow sum{0, 0};
  for (unsigned i = threadIdx.x; i < chunk.elements; i += blockThreads) {
    const double a = static_cast<double>(left[i]);
    const double b = static_cast<double>(right[i]);
    addHighLow(sum.high, sum.low, a * b, fma(a, b, -(a * b)));
  }
  __shared__ HighLow sums[blockThreads];
  sums[threadIdx.x] = sum;
  for (unsigned half = blockThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const HighLow other = sums[threadIdx.x + half];
    addHighLow(sums[threadIdx.x].high, sums[threadIdx.x].low, other.high, other.low);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = sums[0];
}

/// The host adds up the chunks, in their order.
template <class T>
void exactDots(const T* const* leaves, std::size_t count, std::size_t elements, double* sums) {
  const std::size_t pairs = gramSize(count);
  std::fill_n(sums, 2 * pairs, 0.0);
  const Chunks chunks = chunksOfOnePart(elements);
  if (chunks.count == 0) return;
  std::vector<HighLow> found(pairs * chunks.count);
  auto* partials = kernelScratch<HighLow>(found.size());
  launch("Adasum's exact dot products", exactDotsOfChunk<T>, static_cast<unsigned>(found.size()), blockThreads,
         pointersOf(leaves, count), static_cast<int>(count), chunks, partials);
  download<HighLow>(found, partials, "read Adasum's exact dot products");
  for (std::size_t k = 0; k < found.size(); ++k) {
    double* sum = sums + 2 * (k / chunks.count);
    addHighLow(sum[0], sum[1], found[k].high, found[k].low);
  }
}

template <class T>
struct ExactCombination {
  Pointers<const T> leaves;
  Pointers<T> outputs;
  const double* coefficients;  ///< `count` high parts and then as many low ones
  int count;
  int outputCount;

  template <int Width>
  __device__ void at(std::size_t i) const {
    for (int k = 0; k < Width; ++k) combine(i + k);
  }
  __device__ void combine(std::size_t i) const {
    HighLow sum{0, 0};
    for (int n = 0; n < count; ++n) {
      const double leaf = static_cast<double>(leaves.of[n][i]);
      const double product = coefficients[n] * leaf;
      const double error = fma(coefficients[n], leaf, -product);
      addHighLow(sum.high, sum.low, product, error + coefficients[count + n] * leaf);
    }
    for (int o = 0; o < outputCount; ++o) outputs.of[o][i] = static_cast<T>(sum.high + sum.low);
  }
};

template <class T>
void exactCombine(const T* const* leaves, const double* coefficients, std::size_t count, std::size_t elements,
                  T* const* outputs, std::size_t outputCount) {
  double* by = kernelScratch<double>(2 * count);
  upload<double>(by, {coefficients, 2 * count});
  const ExactCombination<T> work{pointersOf(leaves, count), pointersOf(outputs, outputCount), by,
                                 static_cast<int>(count), static_cast<int>(outputCount)};
  forElements("Adasum's exact combination", work, elements, Fours{});
}

}  // namespace

template <class T>
const AdasumKernels<T>& cudaAdasumKernels() {
  static constexpr AdasumKernels<T> kernels{dots<T>,          exactDots<T>,   combine<T>,     exactCombine<T>,
                                            makeCudaPartPlan, dotsOfParts<T>, combineParts<T>};
  return kernels;
}
template const AdasumKernels<float>& cudaAdasumKernels<float>();
template const AdasumKernels<double>& cudaAdasumKernels<double>();

}  // namespace slipstream
