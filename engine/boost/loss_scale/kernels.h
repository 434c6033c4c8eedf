#pragma once

#include <cstddef>

namespace slipstream {

/// loss_scale's arithmetic on one device, which `gradient` is of.
struct LossScaleKernels {
  /// Divides by `scale` and says whether every quotient lies within ±limit (an infinity or NaN does not): in one pass,
  /// unless the scale is beyond 2^100. The scale may be larger than any float.
  bool (*unscale)(float* gradient, std::size_t count, double scale, float limit);
};

const LossScaleKernels& cpuLossScaleKernels();

/// The same bits as the CPU's; waits for the GPU. Defined where the program is built with CUDA (backends/cuda.cpp asks
/// for it).
const LossScaleKernels& cudaLossScaleKernels();

}  // namespace slipstream
