// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include "engine/base/processor_clones.h"
#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/kernel_tables.h"

namespace slipstream {
namespace {

constexpr std::size_t laneCount = 8;
/// Columns whose sums stay in the first-level cache while all rows pass by.
constexpr std::size_t blockColumns = 1024;

/// Sum of left[i] * right[i].
SLIPSTREAM_PROCESSOR_CLONES double dotInDouble(const float* left, const float* right, std::size_t elements) {
  double lanes[laneCount] = {};
  std::size_t i = 0;
  for (; i + laneCount <= elements; i += laneCount) {
    for (std::size_t k = 0; k < laneCount; ++k) {
      lanes[k] += static_cast<double>(left[i + k]) * static_cast<double>(right[i + k]);
    }
  }
  for (std::size_t k = 0; i < elements; ++i, ++k) {
    lanes[k] += static_cast<double>(left[i]) * static_cast<double>(right[i]);
  }
  return ((lanes[0] + lanes[4]) + (lanes[2] + lanes[6])) + ((lanes[1] + lanes[5]) + (lanes[3] + lanes[7]));
}

/// sums[i] += factor * values[i].
SLIPSTREAM_PROCESSOR_CLONES void addScaled(double factor, const float* values, double* sums, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) sums[i] += factor * static_cast<double>(values[i]);
}

void project(DeviceQueue&, DeviceRows rows, const float* vector, std::size_t elements, double* coefficients) {
  for (std::size_t k = 0; k < rows.count; ++k) {
    coefficients[k] = dotInDouble(rows.values + k * rows.stride, vector, elements);
  }
}

void backProject(DeviceQueue&, DeviceRows rows, const double* coefficients, float* vector, std::size_t elements) {
  alignas(64) double sums[blockColumns];
  for (std::size_t start = 0; start < elements; start += blockColumns) {
    const std::size_t count = std::min(blockColumns, elements - start);
    std::fill_n(sums, count, 0.0);
    for (std::size_t k = 0; k < rows.count; ++k) {
      addScaled(coefficients[k], rows.values + k * rows.stride + start, sums, count);
    }
    std::transform(sums, sums + count, vector + start, [](double sum) { return static_cast<float>(sum); });
  }
}

SLIPSTREAM_PROCESSOR_CLONES void residualStep(DeviceQueue&, float decay, const float* gradient, const float* inside,
                                              float* momentum, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) momentum[i] = decay * momentum[i] + (gradient[i] - inside[i]);
}

SLIPSTREAM_PROCESSOR_CLONES void moveAlong(DeviceQueue&, const float* start, float rate, const float* direction,
                                           float* moved, std::size_t elements) {
  for (std::size_t i = 0; i < elements; ++i) moved[i] = start[i] + rate * direction[i];
}

}  // namespace

const DimReduceKernels& cpuDimReduceKernels() {
  static constexpr DimReduceKernels kernels{project, backProject, residualStep, moveAlong, nullptr};
  return kernels;
}

void DimReduceAlgorithm::addCpuKernels(KernelTables& tables) {
  tables.add(cpuDimReduceKernels());
}

}  // namespace slipstream
