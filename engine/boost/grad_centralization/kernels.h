#pragma once

#include <cstddef>

namespace slipstream {

/// grad_centralization's arithmetic on one device, which all pointers are of.
struct GradCentralizationKernels {
  /// Subtracts `factor` times the mean of each row of `of` from the same row of `values`; both [rows, columns] and
  /// either the same memory or apart. Means in double, in a fixed order (on the CPU: eight lanes).
  void (*subtractRowMeans)(float* values, const float* of, std::size_t rows, std::size_t columns, double factor);
};

const GradCentralizationKernels& cpuGradCentralizationKernels();

/// The same bits as the CPU's, but for the last bit of a mean. Returns before the GPU is done. Defined where the
/// program is built with CUDA (backends/cuda.cpp asks for it).
const GradCentralizationKernels& cudaGradCentralizationKernels();

}  // namespace slipstream
