// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/device/device_queue.h"

namespace slipstream {

/// Where a run of elements is in the rows of its tensor. A shard may begin and end inside a row.
struct RowsSegment {
  std::size_t before;   ///< elements of the first row that are before the part; less than `columns`
  std::size_t count;    ///< elements of the part
  std::size_t columns;  ///< elements of a row

  /// Rows of which the part holds at least one element.
  std::size_t rows() const { return count == 0 ? 0 : (before + count + columns - 1) / columns; }
};

/// grad_centralization's arithmetic on one device, which all pointers are of.
struct GradCentralizationKernels {
  /// Writes to sums[row] the sum of gradient + decay * weight over the part's elements of that row, in double and in a
  /// fixed order (on the CPU: eight lanes). `weights` may be null where `decay` is 0.
  void (*sumRows)(DeviceQueue& queue, const float* gradient, const float* weights, double decay, RowsSegment part,
                  double* sums);
  /// Subtracts sums[row] / columns from every element of the part.
  void (*subtractMeans)(DeviceQueue& queue, float* gradient, RowsSegment part, const double* sums);
};

const GradCentralizationKernels& cpuGradCentralizationKernels();

/// The same bits as the CPU's, but for the last bit of a mean. Returns before the GPU is done. Defined where the
/// program is built with CUDA (backends/cuda.cpp asks for it).
const GradCentralizationKernels& cudaGradCentralizationKernels();

/// `sums` are doubles, which an NPU does not compute with: the host adds up the few floats that tiles leave, and
/// divides. A sum differs from the exact one by at most 1e-12 of the sum of magnitudes; means are taken out with the
/// CPU's bits, given the sums. Both wait for the NPU.
const GradCentralizationKernels& npuGradCentralizationKernels();

}  // namespace slipstream
