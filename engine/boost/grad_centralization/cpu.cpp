#include <array>

#include "engine/base/processor_clones.h"
#include "engine/boost/grad_centralization/kernels.h"

namespace slipstream {
namespace {

constexpr std::size_t lanes = 8;

SLIPSTREAM_PROCESSOR_CLONES double sumOf(const float* values, std::size_t count) {
  std::array<double, lanes> sums{};
  const std::size_t whole = count / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += static_cast<double>(values[i + lane]);
  }
  for (std::size_t i = whole; i < count; ++i) sums[i - whole] += static_cast<double>(values[i]);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
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
