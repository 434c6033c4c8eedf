#pragma once

#include <cstddef>

namespace slipstream {

/// Adasum's arithmetic on one device, for values stored as T (float, double, _Float16). All pointers are of that
/// device but `sums` and `coefficients`, which are the host's. Sums run in a fixed order.
template <class T>
struct AdasumKernels {
  /// All dot products of `count` vectors, in double, packed as gramIndex says: gramSize(count) sums.
  void (*dots)(const T* const* leaves, std::size_t count, std::size_t elements, double* sums);
  /// The same carried to twice a double's digits (compensated: Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26, 2005):
  /// high and low part of each, 2 * gramSize(count) sums.
  void (*exactDots)(const T* const* leaves, std::size_t count, std::size_t elements, double* sums);
  /// Every output becomes the sum of coefficient * leaf, in double, in the leaves' order, rounded once. An output may
  /// be one of the leaves.
  void (*combine)(const T* const* leaves, const double* coefficients, std::size_t count, std::size_t elements,
                  T* const* outputs, std::size_t outputCount);
  /// The same with twice a double's digits; `coefficients` are `count` high parts and then as many low ones.
  void (*exactCombine)(const T* const* leaves, const double* coefficients, std::size_t count, std::size_t elements,
                       T* const* outputs, std::size_t outputCount);
};

template <class T>
const AdasumKernels<T>& cpuAdasumKernels();

/// float and double; defined where the program is built with CUDA (backends/cuda.cpp asks for it).
template <class T>
const AdasumKernels<T>& cudaAdasumKernels();

}  // namespace slipstream
