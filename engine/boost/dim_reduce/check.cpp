// SPDX-License-Identifier: GPL-3.0-or-later
// How two devices are compared by the kernels of dimension reduction.

#include "engine/boost/dim_reduce/kernels.h"
#include "engine/boost/dim_reduce/spec.h"
#include "engine/boost/kernel_check.h"

namespace slipstream {
namespace {

/// For a device without a kernel for it, whose rows the host's own arithmetic multiplies in its memory.
void addCentredGramOnHost(DeviceQueue&, DeviceRows of, std::size_t count, double* gram) {
  for (std::size_t column = 0; column < count; ++column) {
    const auto at = [&](std::size_t row) { return static_cast<double>(of.values[row * of.stride + column]); };
    double sum = 0;
    for (std::size_t row = 0; row < of.count; ++row) sum += at(row);
    const double mean = sum / static_cast<double>(of.count);
    for (std::size_t i = 0; i < of.count; ++i) {
      for (std::size_t j = 0; j < of.count; ++j) gram[i * of.count + j] += (at(i) - mean) * (at(j) - mean);
    }
  }
}

std::vector<double> centredGram(DeviceQueue& queue, const DimReduceKernels& kernels, const DeviceRows& matrix) {
  const auto add = kernels.addCentredGram != nullptr ? kernels.addCentredGram : addCentredGramOnHost;
  std::vector<double> gram(matrix.count * matrix.count, 1.0);
  add(queue, matrix, matrix.stride, gram.data());
  return gram;
}

}  // namespace

void DimReduceAlgorithm::checkKernels(KernelCheck& check) {
  const auto* table = check.tables.find<DimReduceKernels>();
  if (table == nullptr) return;
  const DimReduceKernels& kernels = *table;
  const std::size_t columns = check.columns;
  const auto matrix = check.drawn(1);
  const auto vector = check.drawn(2).first(columns);
  const auto result = check.drawn(3).first(columns);
  const DeviceRows matrixRows{matrix.data(), check.rows, columns};
  std::vector<double> coefficients(check.rows);
  kernels.project(check.queue, matrixRows, vector.data(), columns, coefficients.data());
  check.results["project"] = coefficients;
  kernels.moveAlong(check.queue, vector.data(), 0.5F, matrix.data(), result.data(), columns);
  check.results["move along"] = check.read(result);
  kernels.residualStep(check.queue, 0.9F, vector.data(), matrix.data(), result.data(), columns);
  check.results["residual step"] = check.read(result);
  kernels.backProject(check.queue, matrixRows, std::vector<double>(check.rows, 0.25).data(), result.data(), columns);
  check.results["back-project"] = check.read(result);
  check.results["centred gram"] = centredGram(check.queue, kernels, matrixRows);
  const DeviceRows large{check.drawn(4, 1e30F).data(), check.rows, columns};
  check.results["centred gram beyond floats"] = centredGram(check.queue, kernels, large);
}

}  // namespace slipstream
