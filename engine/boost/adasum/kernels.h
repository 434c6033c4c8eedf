// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>
#include <span>

#include "engine/device/device_queue.h"
#include "engine/device/tensor_segments.h"

namespace slipstream {

/// Adasum's arithmetic on one device, for values stored as T (float, double, _Float16). All pointers are of that
/// device but `sums` and `coefficients`, which are the host's. Sums run in a fixed order.
template <class T>
struct AdasumKernels {
  /// All dot products of `count` vectors, in double, packed as gramIndex says: gramSize(count) sums.
  void (*dots)(DeviceQueue& queue, const T* const* leaves, std::size_t count, std::size_t elements, double* sums);
  /// The same carried to twice a double's digits (compensated: Ogita, Rump and Oishi, SIAM J. Sci. Comput. 26, 2005):
  /// high and low part of each, 2 * gramSize(count) sums.
  void (*exactDots)(DeviceQueue& queue, const T* const* leaves, std::size_t count, std::size_t elements, double* sums);
  /// Every output becomes the sum of coefficient * leaf, in double, in the leaves' order, rounded once. An output may
  /// be one of the leaves.
  void (*combine)(DeviceQueue& queue, const T* const* leaves, const double* coefficients, std::size_t count,
                  std::size_t elements, T* const* outputs, std::size_t outputCount);
  /// The same with twice a double's digits; `coefficients` are `count` high parts and then as many low ones.
  void (*exactCombine)(DeviceQueue& queue, const T* const* leaves, const double* coefficients, std::size_t count,
                       std::size_t elements, T* const* outputs, std::size_t outputCount);

  /// What the next two work on: segments of tensors that lie side by side in every leaf. (Exact ones are too rare for
  /// it.)
  std::unique_ptr<SegmentPlan> (*plan)(DeviceQueue& queue, std::span<const TensorSegment> segments);
  /// dots() of every segment in one go, those of segment k at sums + segments[k].tensor * gramSize(count); what belongs
  /// to other tensors stays as it is. No two segments are of the same tensor.
  void (*dotsOfSegments)(DeviceQueue& queue, const SegmentPlan& plan, const T* const* leaves, std::size_t count,
                         double* sums);
  /// combine() of every segment in one go, with the `count` coefficients at coefficients + segments[k].tensor * count.
  void (*combineSegments)(DeviceQueue& queue, const SegmentPlan& plan, const T* const* leaves,
                          const double* coefficients, std::size_t count, T* const* outputs, std::size_t outputCount);
};

template <class T>
const AdasumKernels<T>& cpuAdasumKernels();

/// float and double, of at most 64 leaves. Dot products are added up in another order than the CPU's; combinations have
/// its bits. What gives sums waits for the GPU. Defined where the program is built with CUDA (backends/cuda.cpp asks
/// for it).
template <class T>
const AdasumKernels<T>& cudaAdasumKernels();

/// float only, of at most 64 leaves: an NPU does not compute with doubles. A dot product is kept in two floats after
/// each tile of a leaf was brought near 1 by a power of two, and the host adds up tiles in double: it differs from the
/// exact one by at most 1e-12 of the sum of the products' magnitudes (exactDots, in four floats: 1e-24) plus, for every
/// element, 1e-44 of the product of the two leaves' largest values in its tile. Its bits do not depend on where leaves
/// begin. Tiles that hold an infinity or a NaN are the host's. A combination is the CPU's or the float next to it,
/// unless its terms cancel: then within 1e-12 (exactCombine: 1e-24) of the sum of their magnitudes. It wants
/// coefficients and partial sums that are floats; what lies below 1e-37 is within as many of the smallest floats as
/// there are leaves. What gives sums waits for the NPU.
const AdasumKernels<float>& npuAdasumKernels();

}  // namespace slipstream
