// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/base/processor_clones.h"
#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/grad_centralization/spec.h"
#include "engine/boost/kernel_tables.h"
#include "engine/nn/row_sum.h"

namespace slipstream {
namespace {

SLIPSTREAM_PROCESSOR_CLONES double sumOf(const float* values, std::size_t count) {
  return rowSum(values, count);
}

SLIPSTREAM_PROCESSOR_CLONES void subtract(float* values, std::size_t count, float mean) {
  for (std::size_t i = 0; i < count; ++i) values[i] -= mean;
}

/// Calls use(row, first element of the part in it, how many) for every row of the part.
template <class Use>
void forRows(RowsSegment part, Use&& use) {
  std::size_t begin = 0;
  for (std::size_t row = 0; begin < part.count; ++row) {
    const std::size_t end = std::min(part.count, (row + 1) * part.columns - part.before);
    use(row, begin, end - begin);
    begin = end;
  }
}

void sumRows(DeviceQueue&, const float* gradient, const float* weights, double decay, RowsSegment part, double* sums) {
  forRows(part, [&](std::size_t row, std::size_t begin, std::size_t count) {
    sums[row] = sumOf(gradient + begin, count);
    if (decay != 0) sums[row] += decay * sumOf(weights + begin, count);
  });
}

void subtractMeans(DeviceQueue&, float* gradient, RowsSegment part, const double* sums) {
  forRows(part, [&](std::size_t row, std::size_t begin, std::size_t count) {
    subtract(gradient + begin, count, static_cast<float>(sums[row] / static_cast<double>(part.columns)));
  });
}

}  // namespace

const GradCentralizationKernels& cpuGradCentralizationKernels() {
  static constexpr GradCentralizationKernels kernels{sumRows, subtractMeans};
  return kernels;
}

void GradCentralizationAlgorithm::addCpuKernels(KernelTables& tables) {
  tables.add(cpuGradCentralizationKernels());
}

}  // namespace slipstream
