#include <algorithm>
#include <vector>

#include "engine/base/error.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"
#include "engine/device/cuda/cuda_check.h"

namespace slipstream {
namespace {

// Compiled and linked for sm_80 and sm_90, not yet run on a GPU.

constexpr int blockThreads = 256;
constexpr int mostBlocks = 512;
constexpr std::size_t mostVectors = 64;

/// Pointers travel as kernel arguments: no copy, no table to keep alive.
template <class T>
struct Pointers {
  T* of[mostVectors];
};
struct Coefficients {
  double of[2 * mostVectors];  ///< low parts behind the high ones where there are any
};

template <class T>
Pointers<T> pointersOf(T* const* vectors, std::size_t count) {
  if (count > mostVectors) throw Error("Adasum on a GPU combines at most 64 vectors at a time");
  Pointers<T> pointers{};
  std::copy_n(vectors, count, pointers.of);
  return pointers;
}

/// A number of twice a double's digits; `low` stays zero in the plain sums.
struct HighLow {
  double high;
  double low;
};

template <bool Exact>
__device__ void add(HighLow& sum, HighLow other) {
  if constexpr (Exact) {
    const double high = __dadd_rn(sum.high, other.high);
    const double part = __dsub_rn(high, sum.high);
    const double error = __dadd_rn(__dsub_rn(sum.high, __dsub_rn(high, part)), __dsub_rn(other.high, part));
    sum.low = __dadd_rn(sum.low, __dadd_rn(error, other.low));
    sum.high = high;
  } else {
    sum.high = __dadd_rn(sum.high, other.high);
  }
}

/// One block a (stretch, pair of leaves): the pair's dot product over every gridDim.x-th stretch, summed by a tree in
/// shared memory, so that the order is fixed.
template <class T, bool Exact>
__global__ void partialDots(Pointers<const T> leaves, int count, std::size_t elements, HighLow* partials) {
  int row = 0;
  int pair = static_cast<int>(blockIdx.y);
  while (pair >= count - row) {
    pair -= count - row;
    ++row;
  }
  const T* left = leaves.of[row];
  const T* right = leaves.of[row + pair];
  HighLow sum{0, 0};
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockThreads;
  for (std::size_t k = blockIdx.x * static_cast<std::size_t>(blockThreads) + threadIdx.x; k < elements; k += stride) {
    const double a = static_cast<double>(left[k]);
    const double b = static_cast<double>(right[k]);
    const double product = __dmul_rn(a, b);
    add<Exact>(sum, {product, Exact ? __fma_rn(a, b, -product) : 0.0});
  }
  __shared__ HighLow sums[blockThreads];
  sums[threadIdx.x] = sum;
  for (int half = blockThreads / 2; half > 0; half /= 2) {
    __syncthreads();
    if (threadIdx.x < half) add<Exact>(sums[threadIdx.x], sums[threadIdx.x + half]);
  }
  if (threadIdx.x == 0) partials[static_cast<std::size_t>(blockIdx.y) * gridDim.x + blockIdx.x] = sums[0];
}

/// One thread a pair: adds the blocks' partial sums in their order.
template <bool Exact>
__global__ void totalDots(const HighLow* partials, int blocks, int pairs, double* sums) {
  const int pair = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (pair >= pairs) return;
  HighLow total{0, 0};
  for (int block = 0; block < blocks; ++block) {
    add<Exact>(total, partials[static_cast<std::size_t>(pair) * blocks + block]);
  }
  if constexpr (Exact) {
    sums[2 * pair] = total.high;
    sums[2 * pair + 1] = total.low;
  } else {
    sums[pair] = total.high;
  }
}

template <class T, bool Exact>
__global__ void combineElements(Pointers<const T> leaves, Coefficients coefficients, int count, std::size_t elements,
                                Pointers<T> outputs, int outputCount) {
  const std::size_t stride = static_cast<std::size_t>(gridDim.x) * blockThreads;
  for (std::size_t k = blockIdx.x * static_cast<std::size_t>(blockThreads) + threadIdx.x; k < elements; k += stride) {
    HighLow sum{0, 0};
    for (int i = 0; i < count; ++i) {
      const double leaf = static_cast<double>(leaves.of[i][k]);
      const double product = __dmul_rn(coefficients.of[i], leaf);
      const double error = __fma_rn(coefficients.of[i], leaf, -product);
      add<Exact>(sum, {product, Exact ? __fma_rn(coefficients.of[count + i], leaf, error) : 0.0});
    }
    for (int o = 0; o < outputCount; ++o) outputs.of[o][k] = static_cast<T>(__dadd_rn(sum.high, sum.low));
  }
}

/// Device memory of one call.
class Scratch {
 public:
  explicit Scratch(std::size_t bytes) { checkCuda(cudaMalloc(&data_, bytes), "allocate scratch memory"); }
  ~Scratch() { cudaFree(data_); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  template <class T>
  T* as() {
    return static_cast<T*>(data_);
  }

 private:
  void* data_ = nullptr;
};

int blocksFor(std::size_t elements) {
  return static_cast<int>(std::clamp<std::size_t>((elements + blockThreads - 1) / blockThreads, 1, mostBlocks));
}

template <class T, bool Exact>
void dots(const T* const* leaves, std::size_t count, std::size_t elements, double* sums) {
  const auto pairs = static_cast<int>(gramSize(count));
  const int blocks = blocksFor(elements);
  const std::size_t sumBytes = static_cast<std::size_t>(pairs) * (Exact ? 2 : 1) * sizeof(double);
  Scratch partials(static_cast<std::size_t>(pairs) * blocks * sizeof(HighLow));
  Scratch totals(sumBytes);
  partialDots<T, Exact><<<dim3(blocks, pairs), blockThreads>>>(pointersOf(leaves, count), static_cast<int>(count),
                                                               elements, partials.as<HighLow>());
  checkCuda(cudaGetLastError(), "start Adasum's dot products");
  totalDots<Exact><<<(pairs + blockThreads - 1) / blockThreads, blockThreads>>>(partials.as<HighLow>(), blocks, pairs,
                                                                                totals.as<double>());
  checkCuda(cudaGetLastError(), "start the sum of Adasum's dot products");
  checkCuda(cudaMemcpy(sums, totals.as<double>(), sumBytes, cudaMemcpyDeviceToHost), "read Adasum's dot products");
}

template <class T, bool Exact>
void combine(const T* const* leaves, const double* coefficients, std::size_t count, std::size_t elements,
             T* const* outputs, std::size_t outputCount) {
  Coefficients by{};
  std::copy_n(coefficients, std::min(count, mostVectors) * (Exact ? 2 : 1), by.of);
  combineElements<T, Exact>
      <<<blocksFor(elements), blockThreads>>>(pointersOf(leaves, count), by, static_cast<int>(count), elements,
                                              pointersOf(outputs, outputCount), static_cast<int>(outputCount));
  checkCuda(cudaGetLastError(), "start Adasum's combination");
}

}  // namespace

template <class T>
const AdasumKernels<T>& cudaAdasumKernels() {
  static constexpr AdasumKernels<T> kernels{dots<T, false>, dots<T, true>, combine<T, false>, combine<T, true>};
  return kernels;
}
template const AdasumKernels<float>& cudaAdasumKernels<float>();
template const AdasumKernels<double>& cudaAdasumKernels<double>();

}  // namespace slipstream
