// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <vector>

#include <cuda_pipeline_primitives.h>

#include "engine/base/error.h"
#include "engine/boost/adasum/double_double.h"
#include "engine/boost/adasum/gram_block.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/adasum/tree.h"
#include "engine/boost/kernel_tables.h"
#include "engine/cuda/elements.h"
#include "engine/cuda/sums.h"

namespace slipstream {
namespace {

constexpr unsigned blockThreads = 128;
constexpr std::size_t mostVectors = 64;

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

/// Whether quads of all vectors begin at the same elements as those of `other`.
template <class T>
bool alignLike(const T* other, const T* const* vectors, std::size_t count) {
  return std::all_of(vectors, vectors + count, [&](const T* vector) { return headOf(vector) == headOf(other); });
}

/// The chunks of a plan, or of the only segment of a call.
struct Chunks {
  const Chunk* table = nullptr;  ///< of the GPU; null: cut from `elements` as chunksOf would
  std::size_t elements = 0;
  unsigned count = 0;
  const std::uint32_t* first = nullptr;
  unsigned segments = 1;

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

Chunks chunksOfPlan(const CudaSegmentPlan& plan) {
  return {plan.chunks(), 0, plan.chunkCount(), plan.first(), static_cast<unsigned>(plan.segments().size())};
}

/// Between the GPU's memory and what a block shares, without a stop at registers.
struct CopyToShared {
  template <class T>
  __device__ void operator()(T* to, const T* from, std::size_t bytes) const {
    __pipeline_memcpy_async(to, from, bytes);
  }
};

/// One block a chunk and, where one does not hold all leaves, part of the pairs; these blocks of a chunk are side by
/// side, to find its leaves in the cache. A thread's sums are added up by lanes in a tree and then by warps in their
/// order, and every pair's is left at partials[pair * chunks + chunk].
template <class T, class Form>
__global__ void __launch_bounds__(gramThreads, 4)
    dotsOfChunk(const __grid_constant__ Pointers<const T> leaves, unsigned count, bool together,
                const __grid_constant__ Chunks chunks, unsigned blocksOfChunk, double* partials) {
  using Block = GramBlock<T, Form>;
  alignas(mostAtOnce) __shared__ T staged[gramStages][Block::stageValues];
  const unsigned index = blockIdx.x / blocksOfChunk;
  const Block block{leaves.of, count, together, Form::sidesOf(blockIdx.x % blocksOfChunk, count), chunks.at(index)};
  // Tiles cost their warps unequal work: from chunk to chunk another scheduler has them.
  const unsigned thread = (threadIdx.x + index * warpThreads) % gramThreads;
  const unsigned stages = block.stages();
  for (unsigned stage = 0; stage < gramStages - 1; ++stage) {
    if (stage < stages) block.copyStage(thread, stage, staged[stage], CopyToShared{});
    __pipeline_commit();
  }
  double sums[Form::sums] = {};
  for (unsigned stage = 0; stage < stages; ++stage) {
    __pipeline_wait_prior(gramStages - 2);
    __syncthreads();  // everybody's share of this stage is there, and nobody needs the one before
    const unsigned later = stage + gramStages - 1;
    if (later < stages) block.copyStage(thread, later, staged[later % gramStages], CopyToShared{});
    __pipeline_commit();
    block.addStage(thread, stage, staged[stage % gramStages], sums);
  }
  __shared__ double sumOfWarp[gramWarps][Form::sums];
  const unsigned warp = thread / warpThreads;
  SLIPSTREAM_UNROLL
  for (unsigned k = 0; k < Form::sums; ++k) {
    const double sum = warpSum(sums[k]);
    if (thread % warpThreads == 0) sumOfWarp[warp][k] = sum;
  }
  __syncthreads();
  if (warp % Form::warpsOfTile != 0) return;
  block.forPairs(thread, [&](unsigned which, std::size_t pair) {
    double sum = 0;
    for (unsigned w = 0; w < Form::warpsOfTile; ++w) sum += sumOfWarp[warp + w][which];
    partials[pair * chunks.count + index] = sum;
  });
}

template <class T>
void launchDots(DeviceQueue& queue, const Pointers<const T>& leaves, std::size_t count, const Chunks& chunks,
                double* partials) {
  if (chunks.count == 0) return;
  const bool together = alignLike(leaves.of[0], leaves.of, count);
  withForms(count, [&]<class Form>(Form) {
    const auto blocks = static_cast<unsigned>(Form::blocksOf(count));
    launch(queue, "Adasum's dot products", dotsOfChunk<T, Form>, blocks * chunks.count, gramThreads, leaves,
           static_cast<unsigned>(count), together, chunks, blocks, partials);
  });
}

/// Sums of every segment, one behind the other; waits for them.
template <class T>
std::vector<double> dotsOfChunks(DeviceQueue& queue, const Chunks& chunks, const T* const* leaves, std::size_t count) {
  const Pointers<const T> pointers = pointersOf(leaves, count);
  const std::size_t pairs = gramSize(count);
  std::vector<double> sums(pairs * chunks.segments);
  double* totals = cudaQueue(queue).scratch<double>(sums.size() + pairs * chunks.count);
  double* partials = totals + sums.size();
  launchDots(queue, pointers, count, chunks, partials);
  totalChunks(queue, partials, chunks.count, chunks.first, chunks.segments, static_cast<unsigned>(pairs), totals);
  cudaQueue(queue).download<double>(sums, totals, "read Adasum's dot products");
  return sums;
}

template <class T>
void dots(DeviceQueue& queue, const T* const* leaves, std::size_t count, std::size_t elements, double* sums) {
  std::ranges::copy(dotsOfChunks(queue, chunksOfOnePart(elements), leaves, count), sums);
}

template <class T>
void dotsOfSegments(DeviceQueue& queue, const SegmentPlan& plan, const T* const* leaves, std::size_t count,
                    double* sums) {
  const std::size_t pairs = gramSize(count);
  const std::vector<double> found = dotsOfChunks(queue, chunksOfPlan(cudaPlan(plan)), leaves, count);
  for (std::size_t p = 0; p < plan.segments().size(); ++p) {
    std::copy_n(found.data() + p * pairs, pairs, sums + plan.segments()[p].tensor * pairs);
  }
}

/// Leaves that are loaded before the first of them is used.
constexpr int leavesAtOnce = 4;

/// `Width` elements of all outputs, from the same of all leaves.
template <int Width, class T>
__device__ void combineAt(std::size_t i, const Pointers<const T>& leaves, int count, const double* by,
                          const Pointers<T>& outputs, int outputCount) {
  double sums[Width] = {};
  for (int begin = 0; begin < count; begin += leavesAtOnce) {
    Pack<T, Width> values[leavesAtOnce];
#pragma unroll
    for (int leaf = 0; leaf < leavesAtOnce; ++leaf) {
      values[leaf] = begin + leaf < count ? load<Width>(leaves.of[begin + leaf] + i) : Pack<T, Width>{};
    }
#pragma unroll
    for (int leaf = 0; leaf < leavesAtOnce; ++leaf) {
      if (begin + leaf >= count) break;
      for (int k = 0; k < Width; ++k) sums[k] += by[begin + leaf] * static_cast<double>(values[leaf].of[k]);
    }
  }
  Pack<T, Width> rounded;
  for (int k = 0; k < Width; ++k) rounded.of[k] = static_cast<T>(sums[k]);
  for (int o = 0; o < outputCount; ++o) store(outputs.of[o] + i, rounded);
}

template <class T>
__global__ void __launch_bounds__(blockThreads)
    combineChunks(const __grid_constant__ Pointers<const T> leaves, int count, bool together,
                  const __grid_constant__ Chunks chunks, const double* coefficients,
                  const __grid_constant__ Pointers<T> outputs, int outputCount) {
  const Chunk chunk = chunks.at(blockIdx.x);
  const double* by = coefficients + static_cast<std::size_t>(chunk.segment) * count;
  const AlignedQuads quads = together ? alignedQuads(chunk.elements, leaves.of[0] + chunk.start) : AlignedQuads{};
  for (unsigned i = threadIdx.x; i < quads.count; i += blockThreads) {
    combineAt<4>(chunk.start + quads.quad(i), leaves, count, by, outputs, outputCount);
  }
  for (unsigned i = threadIdx.x; i < quads.singles(chunk.elements); i += blockThreads) {
    combineAt<1>(chunk.start + quads.single(i), leaves, count, by, outputs, outputCount);
  }
}

template <class T>
void combineOfChunks(DeviceQueue& queue, const Chunks& chunks, const T* const* leaves,
                     std::span<const double> coefficients, std::size_t count, T* const* outputs,
                     std::size_t outputCount) {
  if (chunks.count == 0) return;
  double* by = cudaQueue(queue).scratch<double>(coefficients.size());
  cudaQueue(queue).upload<double>(by, coefficients);
  const Pointers<const T> from = pointersOf(leaves, count);
  const Pointers<T> to = pointersOf(outputs, outputCount);
  const bool together = alignLike(leaves[0], leaves, count) && alignLike<T>(leaves[0], outputs, outputCount);
  launch(queue, "Adasum's combination", combineChunks<T>, chunks.count, blockThreads, from, static_cast<int>(count),
         together, chunks, by, to, static_cast<int>(outputCount));
}

template <class T>
void combine(DeviceQueue& queue, const T* const* leaves, const double* coefficients, std::size_t count,
             std::size_t elements, T* const* outputs, std::size_t outputCount) {
  combineOfChunks(queue, chunksOfOnePart(elements), leaves, {coefficients, count}, count, outputs, outputCount);
}

template <class T>
void combineSegments(DeviceQueue& queue, const SegmentPlan& plan, const T* const* leaves, const double* coefficients,
                     std::size_t count, T* const* outputs, std::size_t outputCount) {
  std::vector<double> bySegment;
  for (const TensorSegment& segment : plan.segments()) {
    const double* ofTensor = coefficients + segment.tensor * count;
    bySegment.insert(bySegment.end(), ofTensor, ofTensor + count);
  }
  combineOfChunks(queue, chunksOfPlan(cudaPlan(plan)), leaves, bySegment, count, outputs, outputCount);
}

/// A sum of twice a double's digits.
struct DoubleDouble {
  double high;
  double low;
};

/// One block a chunk and pair: the rare case, written plainly. Thread sums are added up by a tree in shared memory.
template <class T>
__global__ void __launch_bounds__(blockThreads)
    exactDotsOfChunk(const __grid_constant__ Pointers<const T> leaves, int count, const __grid_constant__ Chunks chunks,
                     DoubleDouble* partials) {
  int row = 0;
  int across = static_cast<int>(blockIdx.x / chunks.count);
  for (; across >= count - row; ++row) across -= count - row;
  const Chunk chunk = chunks.at(blockIdx.x % chunks.count);
  const T* left = leaves.of[row] + chunk.start;
  const T* right = leaves.of[row + across] + chunk.start;
  DoubleDouble sum{0, 0};
  for (unsigned i = threadIdx.x; i < chunk.elements; i += blockThreads) {
    const double a = static_cast<double>(left[i]);
    const double b = static_cast<double>(right[i]);
    addHighLow(sum.high, sum.low, a * b, fma(a, b, -(a * b)));
  }
  __shared__ DoubleDouble sums[blockThreads];
  sums[threadIdx.x] = sum;
  for (unsigned half = blockThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x >= half) continue;
    const DoubleDouble other = sums[threadIdx.x + half];
    addHighLow(sums[threadIdx.x].high, sums[threadIdx.x].low, other.high, other.low);
  }
  if (threadIdx.x == 0) partials[blockIdx.x] = sums[0];
}

/// The host adds up the chunks, in their order.
template <class T>
void exactDots(DeviceQueue& queue, const T* const* leaves, std::size_t count, std::size_t elements, double* sums) {
  const std::size_t pairs = gramSize(count);
  std::fill_n(sums, 2 * pairs, 0.0);
  const Chunks chunks = chunksOfOnePart(elements);
  if (chunks.count == 0) return;
  std::vector<DoubleDouble> found(pairs * chunks.count);
  auto* partials = cudaQueue(queue).scratch<DoubleDouble>(found.size());
  launch(queue, "Adasum's exact dot products", exactDotsOfChunk<T>, static_cast<unsigned>(found.size()), blockThreads,
         pointersOf(leaves, count), static_cast<int>(count), chunks, partials);
  cudaQueue(queue).download<DoubleDouble>(found, partials, "read Adasum's exact dot products");
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
    DoubleDouble sum{0, 0};
    for (int n = 0; n < count; ++n) {
      const double leaf = static_cast<double>(leaves.of[n][i]);
      const double product = coefficients[n] * leaf;
      const double error = fma(coefficients[n], leaf, -product);
      addHighLow(sum.high, sum.low, product, error + coefficients[count + n] * leaf);
    }
    for (int o = 0; o < outputCount; ++o) outputs.of[o][i] = static_cast<T>(roundedHighLow(sum.high, sum.low));
  }
};

template <class T>
void exactCombine(DeviceQueue& queue, const T* const* leaves, const double* coefficients, std::size_t count,
                  std::size_t elements, T* const* outputs, std::size_t outputCount) {
  double* by = cudaQueue(queue).scratch<double>(2 * count);
  cudaQueue(queue).upload<double>(by, {coefficients, 2 * count});
  const ExactCombination<T> work{pointersOf(leaves, count), pointersOf(outputs, outputCount), by,
                                 static_cast<int>(count), static_cast<int>(outputCount)};
  forElements(queue, "Adasum's exact combination", work, elements, AlignedQuads{});
}

}  // namespace

template <class T>
const AdasumKernels<T>& cudaAdasumKernels() {
  static constexpr AdasumKernels<T> kernels{
      dots<T>, exactDots<T>, combine<T>, exactCombine<T>, makeCudaSegmentPlan, dotsOfSegments<T>, combineSegments<T>};
  return kernels;
}
template const AdasumKernels<float>& cudaAdasumKernels<float>();
template const AdasumKernels<double>& cudaAdasumKernels<double>();

void AdasumAlgorithm::addCudaKernels(KernelTables& tables) {
  tables.add(cudaAdasumKernels<float>());
  tables.add(cudaAdasumKernels<double>());
}

}  // namespace slipstream
