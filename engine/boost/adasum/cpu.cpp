#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

#include "engine/boost/adasum/high_low.h"
#include "engine/boost/adasum/kernels.h"
#include "engine/boost/adasum/tree.h"

namespace slipstream {
namespace {

constexpr std::size_t laneCount = 8;
using Half = double __attribute__((vector_size(4 * sizeof(double))));

// Compiled for several instruction sets, always with eight double lanes; without fused multiply-adds
// (-ffp-contract=off) all of them give the same bits.

/// Eight doubles as two vectors of four: one register each where there is AVX2.
struct Lanes {
  Half low;
  Half high;
};

template <class T>
struct Quarter;
template <>
struct Quarter<float> {
  using Four = float __attribute__((vector_size(4 * sizeof(float))));
};
template <>
struct Quarter<double> {
  using Four = Half;
};

template <class T>
[[gnu::always_inline]] inline void load(Lanes& lanes, const T* from) {
  using Four = typename Quarter<T>::Four;
  Four low;
  Four high;
  std::memcpy(&low, from, sizeof(low));
  std::memcpy(&high, from + 4, sizeof(high));
  lanes.low = __builtin_convertvector(low, Half);
  lanes.high = __builtin_convertvector(high, Half);
}

template <>
[[gnu::always_inline]] inline void load<_Float16>(Lanes& lanes, const _Float16* from) {
  for (int i = 0; i < 4; ++i) lanes.low[i] = static_cast<double>(static_cast<float>(from[i]));
  for (int i = 0; i < 4; ++i) lanes.high[i] = static_cast<double>(static_cast<float>(from[i + 4]));
}

template <class T>
[[gnu::always_inline]] inline void store(T* to, const Lanes& lanes) {
  using Four = typename Quarter<T>::Four;
  const Four low = __builtin_convertvector(lanes.low, Four);
  const Four high = __builtin_convertvector(lanes.high, Four);
  std::memcpy(to, &low, sizeof(low));
  std::memcpy(to + 4, &high, sizeof(high));
}

template <>
[[gnu::always_inline]] inline void store<_Float16>(_Float16* to, const Lanes& lanes) {
  for (int i = 0; i < 4; ++i) to[i] = static_cast<_Float16>(static_cast<float>(lanes.low[i]));
  for (int i = 0; i < 4; ++i) to[i + 4] = static_cast<_Float16>(static_cast<float>(lanes.high[i]));
}

[[gnu::always_inline]] inline double total(const double* lanes) {
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// Leaves widened to double, a stretch at a time, so that every leaf is converted once however many pairs it is in.
struct Stretch {
  static constexpr std::size_t capacity = 4096;  ///< 32 KB
  alignas(64) double values[capacity];
  std::size_t length;  ///< a leaf, a multiple of laneCount

  explicit Stretch(std::size_t leaves)
      : length(std::max(laneCount, std::min<std::size_t>(1024, capacity / leaves / laneCount * laneCount))) {}
  const double* leaf(std::size_t i) const { return values + i * length; }
};

/// Fills from elements [start, start + length) of every leaf, with zeros behind the end; gives the filled length.
template <class T>
[[gnu::always_inline]] inline std::size_t fill(Stretch& stretch, const T* const* leaves, std::size_t count,
                                               std::size_t start, std::size_t elements) {
  const std::size_t here = std::min(stretch.length, elements - start);
  const std::size_t whole = here / laneCount * laneCount;
  const std::size_t padded = (here + laneCount - 1) / laneCount * laneCount;
  for (std::size_t leaf = 0; leaf < count; ++leaf) {
    double* to = stretch.values + leaf * stretch.length;
    const T* from = leaves[leaf] + start;
    for (std::size_t k = 0; k < whole; k += laneCount) {
      Lanes lanes;
      load(lanes, from + k);
      std::memcpy(to + k, &lanes, sizeof(lanes));
    }
    for (std::size_t k = whole; k < padded; ++k) to[k] = k < here ? static_cast<double>(from[k]) : 0.0;
  }
  return padded;
}

/// sums[pair] += products of `Rows` leaves with `Columns` others over one stretch. Pairs below the diagonal are left
/// out.
template <std::size_t Rows, std::size_t Columns>
[[gnu::always_inline]] inline void addTile(const Stretch& stretch, std::size_t length, std::size_t row,
                                           std::size_t column, std::size_t count, double* sums) {
  Lanes sum[Rows][Columns];
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < Columns; ++c) {
      sum[r][c] = Lanes{};
      const std::size_t i = row + r;
      const std::size_t j = column + c;
      if (i <= j) std::memcpy(&sum[r][c], sums + laneCount * gramIndex(i, j, count), sizeof(Lanes));
    }
  }
  for (std::size_t k = 0; k < length; k += laneCount) {
    Lanes right[Columns];
    for (std::size_t c = 0; c < Columns; ++c) {
      std::memcpy(&right[c], stretch.leaf(column + c) + k, sizeof(Lanes));
    }
    for (std::size_t r = 0; r < Rows; ++r) {
      Lanes left;
      std::memcpy(&left, stretch.leaf(row + r) + k, sizeof(Lanes));
      for (std::size_t c = 0; c < Columns; ++c) {
        sum[r][c].low += left.low * right[c].low;
        sum[r][c].high += left.high * right[c].high;
      }
    }
  }
  for (std::size_t r = 0; r < Rows; ++r) {
    for (std::size_t c = 0; c < Columns; ++c) {
      const std::size_t i = row + r;
      const std::size_t j = column + c;
      if (i <= j) std::memcpy(sums + laneCount * gramIndex(i, j, count), &sum[r][c], sizeof(Lanes));
    }
  }
}

[[gnu::always_inline]] inline void addStretch(const Stretch& stretch, std::size_t length, std::size_t count,
                                              double* sums) {
  for (std::size_t row = 0; row < count; row += 2) {
    const bool oddRow = row + 1 == count;
    for (std::size_t column = row; column < count; column += 2) {
      const bool oddColumn = column + 1 == count;
      if (oddRow) {
        addTile<1, 1>(stretch, length, row, column, count, sums);
      } else if (oddColumn) {
        addTile<2, 1>(stretch, length, row, column, count, sums);
      } else {
        addTile<2, 2>(stretch, length, row, column, count, sums);
      }
    }
  }
}

template <class T>
[[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]] void dots(const T* const* leaves,
                                                                                std::size_t count, std::size_t elements,
                                                                                double* sums) {
  std::vector<double> lanes(laneCount * gramSize(count));
  Stretch stretch(count);
  for (std::size_t start = 0; start < elements; start += stretch.length) {
    addStretch(stretch, fill(stretch, leaves, count, start, elements), count, lanes.data());
  }
  for (std::size_t pair = 0; pair < gramSize(count); ++pair) sums[pair] = total(lanes.data() + laneCount * pair);
}

template <class T>
[[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]] void exactDots(const T* const* leaves,
                                                                                     std::size_t count,
                                                                                     std::size_t elements,
                                                                                     double* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = i; j < count; ++j) {
      double high = 0;
      double low = 0;
      for (std::size_t k = 0; k < elements; ++k) {
        const auto a = static_cast<double>(leaves[i][k]);
        const auto b = static_cast<double>(leaves[j][k]);
        const double product = a * b;
        addHighLow(high, low, product, std::fma(a, b, -product));
      }
      sums[2 * gramIndex(i, j, count)] = high;
      sums[2 * gramIndex(i, j, count) + 1] = low;
    }
  }
}

template <class T>
[[gnu::target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")]] void combine(
    const T* const* leaves, const double* coefficients, std::size_t count, std::size_t elements, T* const* outputs,
    std::size_t outputCount) {
  std::size_t k = 0;
  for (; k + laneCount <= elements; k += laneCount) {
    Lanes sum{};
    for (std::size_t i = 0; i < count; ++i) {
      Lanes leaf;
      load(leaf, leaves[i] + k);
      sum.low += coefficients[i] * leaf.low;
      sum.high += coefficients[i] * leaf.high;
    }
    for (std::size_t o = 0; o < outputCount; ++o) store(outputs[o] + k, sum);
  }
  for (; k < elements; ++k) {
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) sum += coefficients[i] * static_cast<double>(leaves[i][k]);
    for (std::size_t o = 0; o < outputCount; ++o) outputs[o][k] = static_cast<T>(sum);
  }
}

}  // namespace

template <class T>
const AdasumKernels<T>& cpuAdasumKernels() {
  static constexpr AdasumKernels<T> kernels{dots<T>, exactDots<T>, combine<T>};
  return kernels;
}
template const AdasumKernels<float>& cpuAdasumKernels<float>();
template const AdasumKernels<double>& cpuAdasumKernels<double>();
template const AdasumKernels<_Float16>& cpuAdasumKernels<_Float16>();

}  // namespace slipstream
