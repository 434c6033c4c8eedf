// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/device/device_queue.h"

namespace slipstream {

/// Rows of one device's memory: row k starts at values + k * stride.
struct DeviceRows {
  const float* values;
  std::size_t count;
  std::size_t stride;
};

/// The arithmetic of dim_reduce on one device, which all pointers are of but `coefficients`, which are the host's. In
/// double, in a fixed order (on the CPU eight lanes: the same bits whatever the processor).
struct DimReduceKernels {
  /// coefficients[k] = sum of row k times vector.
  void (*project)(DeviceQueue& queue, DeviceRows rows, const float* vector, std::size_t elements, double* coefficients);
  /// vector = sum of coefficients[k] times row k.
  void (*backProject)(DeviceQueue& queue, DeviceRows rows, const double* coefficients, float* vector,
                      std::size_t elements);
  /// momentum = decay * momentum + (gradient - inside).
  void (*residualStep)(DeviceQueue& queue, float decay, const float* gradient, const float* inside, float* momentum,
                       std::size_t elements);
  /// moved = start + rate * direction.
  void (*moveAlong)(DeviceQueue& queue, const float* start, float rate, const float* direction, float* moved,
                    std::size_t elements);
  /// gram[i * rows.count + j] += row i times row j, both less the mean of all rows; `gram` is the host's. Null where
  /// the host's own arithmetic does it (pca.cpp), because the rows come from its memory.
  void (*addCentredGram)(DeviceQueue& queue, DeviceRows rows, std::size_t elements, double* gram);
};

const DimReduceKernels& cpuDimReduceKernels();

/// Projections are added up in another order than the CPU's; all else has its bits. What gives coefficients waits for
/// the GPU. Defined where the program is built with CUDA (backends/cuda.cpp asks for it).
const DimReduceKernels& cudaDimReduceKernels();

/// Without doubles: sums of products are kept in two floats. Projections and products of centred rows differ from the
/// exact ones by at most 1e-12 of the sum of magnitudes plus 1e-38 an element; tiles in which one is beyond floats, or
/// a value no number, are the host's. A back-projection is the CPU's or next to it, unless its terms cancel: then
/// within 1e-12 of the sum of their magnitudes. It wants coefficients and partial sums that are floats; what lies below
/// 1e-37 is within a few of the smallest floats. Residual steps and moves have the CPU's bits. What gives numbers to
/// the host waits for the NPU.
const DimReduceKernels& npuDimReduceKernels();

}  // namespace slipstream
