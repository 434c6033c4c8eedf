// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

#include "engine/device/device_queue.h"

namespace slipstream {

/// loss_scale's arithmetic on one device, which `gradient` and `overflowed` are of.
struct LossScaleKernels {
  /// Divides by `scale`, and makes *overflowed 1 where a quotient lies beyond ±limit (an infinity or NaN does), else
  /// leaves it: in one pass, unless the scale is beyond 2^100. The scale may be larger than any float.
  void (*unscale)(DeviceQueue& queue, float* gradient, std::size_t count, double scale, float limit, float* overflowed);
};

const LossScaleKernels& cpuLossScaleKernels();

/// The same bits as the CPU's; waits for nothing. Defined where the program is built with CUDA (backends/cuda.cpp asks
/// for it).
const LossScaleKernels& cudaLossScaleKernels();

/// The same bits as the CPU's. A second launch of one block reads what the blocks of the first saw; waits for nothing.
const LossScaleKernels& npuLossScaleKernels();

}  // namespace slipstream
