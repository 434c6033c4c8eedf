// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/kernel_tables.h"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include <cxxabi.h>

#include "engine/boost/algorithms.h"

namespace slipstream {

namespace {

/// "AdasumKernels<float>"
std::string nameOf(const std::type_index& table) {
  int failed = 0;
  const std::unique_ptr<char, void (*)(void*)> whole(abi::__cxa_demangle(table.name(), nullptr, nullptr, &failed),
                                                     std::free);
  const std::string name = failed == 0 ? whole.get() : table.name();
  const auto scope = name.rfind("::");
  return scope == std::string::npos ? name : name.substr(scope + 2);
}

}  // namespace

std::vector<std::string> KernelTables::lacks(const KernelTables& other) const {
  std::vector<std::string> names;
  for (const auto& [type, table] : other.tables_) {
    if (!tables_.contains(type) && !other.besideTraining_.contains(type)) names.push_back(nameOf(type));
  }
  std::ranges::sort(names);
  return names;
}

KernelTables cpuKernelTables() {
  KernelTables tables;
  tables.add(cpuVectorKernels());
  tables.add(cpuOptimizerKernels());
  Algorithms::forEach([&]<class Algorithm>() {
    if constexpr (requires { Algorithm::addCpuKernels(tables); }) {
      static_assert(
          requires {
            Algorithm::addCudaKernels(tables);
            Algorithm::addNpuKernels(tables);
          },
          "no device trains without a table that the CPU has: declare addCudaKernels and addNpuKernels beside it");
      Algorithm::addCpuKernels(tables);
    }
  });
  return tables;
}

}  // namespace slipstream
