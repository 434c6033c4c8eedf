#include "engine/base/processor_clones.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/nn/row_sum.h"

namespace slipstream {
namespace {

SLIPSTREAM_PROCESSOR_CLONES double sumOf(const float* values, std::size_t count) {
  return rowSum(values, count);
}

SLIPSTREAM_PROCESSOR_CLONES void subtract(float* values, std::size_t count, float mean) {
  for (std::size_t i = 0; i < count; ++i) values[i] -= mean;
}

void subtractRowMeans(float* values, const float* of, std::size_t rows, std::size_t columns, double factor) {
  for (std::size_t row = 0; row < rows; ++row) {
    const double mean = sumOf(of + row * columns, columns) / static_cast<double>(columns);
    subtract(values + row * columns, columns, static_cast<float>(factor * mean));
  }
}

}  // namespace

const GradCentralizationKernels& cpuGradCentralizationKernels() {
  static constexpr GradCentralizationKernels kernels{subtractRowMeans};
  return kernels;
}

}  // namespace slipstream
