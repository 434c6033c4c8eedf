// SPDX-License-Identifier: GPL-3.0-or-later
// How two devices are compared by the kernels of gradient centralisation.

#include "engine/boost/grad_centralization/kernels.h"
#include "engine/boost/grad_centralization/spec.h"
#include "engine/boost/kernel_check.h"

namespace slipstream {

/// The part begins inside a row.
void GradCentralizationAlgorithm::checkKernels(KernelCheck& check) {
  const auto* table = check.tables.find<GradCentralizationKernels>();
  if (table == nullptr) return;
  const GradCentralizationKernels& kernels = *table;
  const auto gradient = check.drawn(1);
  const std::size_t before = check.columns / 2;
  const RowsSegment part{before, check.rows * check.columns - before, check.columns};
  const auto sums = check.device.allocate(check.rows * sizeof(double), MemoryCategory::boost);
  kernels.sumRows(check.queue, gradient.data(), check.drawn(2).data(), 0.5, part, sums->as<double>().data());
  kernels.subtractMeans(check.queue, gradient.data(), part, sums->as<double>().data());
  check.results["subtract row means"] = check.read(gradient);
}

}  // namespace slipstream
