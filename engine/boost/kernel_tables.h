// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <typeindex>
#include <vector>

#include "engine/boost/vectors/kernels.h"
#include "engine/nn/optimizer_kernels.h"

namespace slipstream {

/// The arithmetic of one device: whatever touches weights, gradients or what is kept beside them goes through a table
/// here, found by its type. Each algorithm adds its own (addCpuKernels, addCudaKernels and addNpuKernels of
/// engine/boost/NAME/spec.h). A device whose memory is the host's may begin with the CPU's tables and add those that it
/// has itself.
class KernelTables {
 public:
  /// In place of the one of its type that is there.
  template <class Kernels>
  void add(const Kernels& table) {
    tables_[typeid(Kernels)] = &table;
  }
  /// For a table that training does without.
  template <class Kernels>
  void addBesideTraining(const Kernels& table) {
    add(table);
    besideTraining_.insert(typeid(Kernels));
  }
  /// Null where the device has none.
  template <class Kernels>
  const Kernels* find() const {
    const auto found = tables_.find(typeid(Kernels));
    return found == tables_.end() ? nullptr : static_cast<const Kernels*>(found->second);
  }
  /// The table must be there: backends/ refuses to train on a device that lacks one.
  template <class Kernels>
  const Kernels& of() const {
    return *static_cast<const Kernels*>(tables_.at(typeid(Kernels)));
  }
  /// The types of the tables of `other` that training needs and that are not here: "AdasumKernels<float>".
  std::vector<std::string> lacks(const KernelTables& other) const;

 private:
  std::map<std::type_index, const void*> tables_;
  std::set<std::type_index> besideTraining_;
};

/// Those of the CPU: all there are.
KernelTables cpuKernelTables();

}  // namespace slipstream
