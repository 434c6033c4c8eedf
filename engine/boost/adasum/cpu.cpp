// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include "engine/base/processor_clones.h"
#include "engine/boost/adasum/double_double.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/adasum/tree.h"
#include "engine/boost/kernel_tables.h"

namespace slipstream {
namespace {

constexpr std::size_t laneCount = 8;
/// Sums and rounded results of a block stay in the first-level cache.
constexpr std::size_t combineBlock = 1024;
using Half = double __attribute__((vector_size(4 * sizeof(double))));

// Compiled for several instruction sets, always with eight double lanes; without fused multiply-adds
// (-ffp-contract=off) all of them give the same bits.

/// Four doubles: a register where there is AVX2.
using Half = double __attribute__((vector_size(4 * sizeof(double)), may_alias));

/// The sum of one dot product, in eight lanes.
struct alignas(64) Lanes {
  Half low;
  Half high;
};

double total(const Lanes& lanes) {
  const Half quad = lanes.low + lanes.high;
  return (quad[0] + quad[2]) + (quad[1] + quad[3]);
}

/// Leaves widened to double, a stretch at a time, so that every leaf is converted once however many pairs it is in.
struct Stretch {
  static constexpr std::size_t capacity = 1024;  ///< 8 KB: the first-level cache also holds what is read
  alignas(64) double values[capacity];
  std::size_t length;  ///< a leaf, a multiple of laneCount

  explicit Stretch(std::size_t leaves) : length(std::max(laneCount, capacity / leaves / laneCount * laneCount)) {}
  const double* leaf(std::size_t i) const { return values + i * length; }
};

/// Halves go through float: the processor has no direct way.
template <class T>
[[gnu::always_inline]] inline double widened(T value) {
  if constexpr (std::is_same_v<T, _Float16>) {
    return static_cast<double>(static_cast<float>(value));
  } else {
    return static_cast<double>(value);
  }
}

template <class T>
[[gnu::always_inline]] inline T narrowed(double value) {
  if constexpr (std::is_same_v<T, _Float16>) {
    return static_cast<_Float16>(static_cast<float>(value));
  } else {
    return static_cast<T>(value);
  }
}

/// Fills from elements [start, start + length) of every leaf, with zeros behind the end; gives the filled length.
template <class T>
[[gnu::always_inline]] inline std::size_t fill(Stretch& stretch, const T* const* leaves, std::size_t count,
                                               std::size_t start, std::size_t elements) {
  const std::size_t here = std::min(stretch.length, elements - start);
  const std::size_t padded = (here + laneCount - 1) / laneCount * laneCount;
  for (std::size_t leaf = 0; leaf < count; ++leaf) {
    double* __restrict to = stretch.values + leaf * stretch.length;
    const T* __restrict from = leaves[leaf] + start;
    for (std::size_t k = 0; k < here; ++k) to[k] = widened(from[k]);
    for (std::size_t k = here; k < padded; ++k) to[k] = 0;
  }
  return padded;
}

/// sums[pair] += lanes of the products of `Rows` leaves with `Columns` others over one stretch. On the diagonal the two
/// are the same leaves, and pairs below it are left out.
template <std::size_t Rows, std::size_t Columns, bool OnDiagonal>
[[gnu::always_inline]] inline void addTile(const Stretch& stretch, std::size_t length, std::size_t row,
                                           std::size_t column, std::size_t count, Lanes* sums) {
  Half low[Rows * Columns] = {};
  Half high[Rows * Columns] = {};
  for (std::size_t k = 0; k < length; k += laneCount) {
#pragma GCC unroll 4
    for (std::size_t r = 0; r < Rows; ++r) {
      const auto* left = reinterpret_cast<const Half*>(stretch.leaf(row + r) + k);
#pragma GCC unroll 4
      for (std::size_t c = OnDiagonal ? r : 0; c < Columns; ++c) {
        const auto* right = reinterpret_cast<const Half*>(stretch.leaf(column + c) + k);
        low[r * Columns + c] += left[0] * right[0];
        high[r * Columns + c] += left[1] * right[1];
      }
    }
  }
#pragma GCC unroll 4
  for (std::size_t r = 0; r < Rows; ++r) {
#pragma GCC unroll 4
    for (std::size_t c = OnDiagonal ? r : 0; c < Columns; ++c) {
      Lanes& sum = sums[gramIndex(row + r, column + c, count)];
      sum.low += low[r * Columns + c];
      sum.high += high[r * Columns + c];
    }
  }
}

/// Tiles of two leaves by two: their sums fit the registers of the smallest instruction set.
[[gnu::always_inline]] inline void addStretch(const Stretch& stretch, std::size_t length, std::size_t count,
                                              Lanes* sums) {
  const std::size_t even = count / 2 * 2;
  for (std::size_t row = 0; row < even; row += 2) {
    addTile<2, 2, true>(stretch, length, row, row, count, sums);
    for (std::size_t column = row + 2; column < even; column += 2) {
      addTile<2, 2, false>(stretch, length, row, column, count, sums);
    }
    if (even < count) addTile<2, 1, false>(stretch, length, row, even, count, sums);
  }
  if (even < count) addTile<1, 1, true>(stretch, length, even, even, count, sums);
}

template <class T>
SLIPSTREAM_PROCESSOR_CLONES void dots(DeviceQueue&, const T* const* leaves, std::size_t count, std::size_t elements,
                                      double* sums) {
  std::vector<Lanes> lanes(gramSize(count));
  Stretch stretch(count);
  for (std::size_t start = 0; start < elements; start += stretch.length) {
    addStretch(stretch, fill(stretch, leaves, count, start, elements), count, lanes.data());
  }
  for (std::size_t pair = 0; pair < gramSize(count); ++pair) sums[pair] = total(lanes[pair]);
}

template <class T>
SLIPSTREAM_PROCESSOR_CLONES void exactDots(DeviceQueue&, const T* const* leaves, std::size_t count,
                                           std::size_t elements, double* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) {
      double high = 0;
      double low = 0;
      for (std::size_t k = 0; k < elements; ++k) {
        const auto a = widened(leaves[i][k]);
        const auto b = widened(leaves[j][k]);
        const double product = a * b;
        addHighLow(high, low, product, std::fma(a, b, -product));
      }
      sums[2 * gramIndex(i, j, count)] = high;
      sums[2 * gramIndex(i, j, count) + 1] = low;
    }
  }
}

/// The sums of a block, between one group of leaves and the next.
template <class T>
struct CombineBlock {
  alignas(64) double sums[combineBlock];
  alignas(64) T rounded[combineBlock];
};

/// Adds `Leaves` leaves, in their order, to the sums of a block. The first group begins at zero, the last one rounds.
template <std::size_t Leaves, class T>
[[gnu::always_inline]] inline void addLeaves(CombineBlock<T>& block, const T* const* leaves, const double* coefficients,
                                             std::size_t start, std::size_t elements, bool first, bool last) {
  const auto added = [&](double sum, std::size_t k) {
#pragma GCC unroll 4
    for (std::size_t i = 0; i < Leaves; ++i) sum += coefficients[i] * widened(leaves[i][start + k]);
    return sum;
  };
  double* __restrict sums = block.sums;
  T* __restrict rounded = block.rounded;
  if (first && last) {
    for (std::size_t k = 0; k < elements; ++k) rounded[k] = narrowed<T>(added(0, k));
  } else if (first) {
    for (std::size_t k = 0; k < elements; ++k) sums[k] = added(0, k);
  } else if (last) {
    for (std::size_t k = 0; k < elements; ++k) rounded[k] = narrowed<T>(added(sums[k], k));
  } else {
    for (std::size_t k = 0; k < elements; ++k) sums[k] = added(sums[k], k);
  }
}

template <class T>
SLIPSTREAM_PROCESSOR_CLONES void combine(DeviceQueue&, const T* const* leaves, const double* coefficients,
                                         std::size_t count, std::size_t elements, T* const* outputs,
                                         std::size_t outputCount) {
  CombineBlock<T> block;
  for (std::size_t start = 0; start < elements; start += combineBlock) {
    const std::size_t here = std::min(combineBlock, elements - start);
    for (std::size_t i = 0; i < count;) {
      const std::size_t left = count - i;
      const std::size_t group = left >= 4 ? 4 : left >= 2 ? 2 : 1;
      const bool last = group == left;
      if (group == 4) {
        addLeaves<4>(block, leaves + i, coefficients + i, start, here, i == 0, last);
      } else if (group == 2) {
        addLeaves<2>(block, leaves + i, coefficients + i, start, here, i == 0, last);
      } else {
        addLeaves<1>(block, leaves + i, coefficients + i, start, here, i == 0, last);
      }
      i += group;
    }
    for (std::size_t o = 0; o < outputCount; ++o) std::copy_n(block.rounded, here, outputs[o] + start);
  }
}

template <class T>
SLIPSTREAM_PROCESSOR_CLONES void exactCombine(DeviceQueue&, const T* const* leaves, const double* coefficients,
                                              std::size_t count, std::size_t elements, T* const* outputs,
                                              std::size_t outputCount) {
  for (std::size_t k = 0; k < elements; ++k) {
    double high = 0;
    double low = 0;
    for (std::size_t i = 0; i < count; ++i) {
      const double leaf = widened(leaves[i][k]);
      const double product = coefficients[i] * leaf;
      addHighLow(high, low, product, std::fma(coefficients[i], leaf, -product) + coefficients[count + i] * leaf);
    }
    for (std::size_t o = 0; o < outputCount; ++o) outputs[o][k] = narrowed<T>(roundedHighLow(high, low));
  }
}

template <class T>
std::vector<T*> advanced(T* const* pointers, std::size_t count, std::size_t by) {
  std::vector<T*> result;
  for (std::size_t i = 0; i < count; ++i) result.push_back(pointers[i] + by);
  return result;
}

template <class T>
void dotsOfSegments(DeviceQueue& queue, const SegmentPlan& plan, const T* const* leaves, std::size_t count,
                    double* sums) {
  for (const TensorSegment& segment : plan.segments()) {
    dots(queue, advanced(leaves, count, segment.start).data(), count, segment.elements,
         sums + segment.tensor * gramSize(count));
  }
}

template <class T>
void combineSegments(DeviceQueue& queue, const SegmentPlan& plan, const T* const* leaves, const double* coefficients,
                     std::size_t count, T* const* outputs, std::size_t outputCount) {
  for (const TensorSegment& segment : plan.segments()) {
    combine(queue, advanced(leaves, count, segment.start).data(), coefficients + segment.tensor * count, count,
            segment.elements, advanced(outputs, outputCount, segment.start).data(), outputCount);
  }
}

}  // namespace

template <class T>
const AdasumKernels<T>& cpuAdasumKernels() {
  static constexpr AdasumKernels<T> kernels{dots<T>,         exactDots<T>,      combine<T>,        exactCombine<T>,
                                            makeSegmentPlan, dotsOfSegments<T>, combineSegments<T>};
  return kernels;
}
template const AdasumKernels<float>& cpuAdasumKernels<float>();
template const AdasumKernels<double>& cpuAdasumKernels<double>();
template const AdasumKernels<_Float16>& cpuAdasumKernels<_Float16>();

void AdasumAlgorithm::addCpuKernels(KernelTables& tables) {
  tables.add(cpuAdasumKernels<float>());
  tables.addBesideTraining(cpuAdasumKernels<double>());  // gradients are floats
}

}  // namespace slipstream
