// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/kernel_tables.h"

#include <algorithm>

#include "engine/boost/algorithms.h"

namespace slipstream {

bool KernelTables::covers(const KernelTables& other) const {
  return std::ranges::all_of(other.tables_, [&](const auto& entry) {
    return tables_.contains(entry.first) || other.besideTraining_.contains(entry.first);
  });
}

KernelTables cpuKernelTables() {
  KernelTables tables;
  tables.add(cpuVectorKernels());
  tables.add(cpuOptimizerKernels());
  Algorithms::forEach([&]<class Algorithm>() {
    if constexpr (requires { Algorithm::addCpuKernels(tables); }) Algorithm::addCpuKernels(tables);
  });
  return tables;
}

}  // namespace slipstream
