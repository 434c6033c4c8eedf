// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace emulated_gpu {

using SharedArrays = std::vector<std::span<std::byte>>;

/// What the program's own ELF file says about kernels: their names, and where the arrays stand that a block shares.
class Symbols {
 public:
  /// Reads the file of the running program. Throws slipstream::Error where it cannot be read or was stripped.
  Symbols();

  /// The kernel's name with its template arguments, as in the sources; "an unknown kernel" for no function of the
  /// program.
  std::string nameOf(const void* kernel) const;
  /// Of plain functions, which any kernel may call.
  const SharedArrays& ofFunctions() const { return ofFunctions_; }
  /// Of a kernel that is a template.
  SharedArrays ofKernel(const void* kernel) const;

 private:
  void readSections(std::span<const std::byte> file);
  void readNames(std::span<const std::byte> file);

  std::map<const void*, std::string> functions_;  ///< mangled
  std::map<std::string, std::span<std::byte>>
      staticArrays_;  ///< of functions, by mangled name; not every one is shared
  SharedArrays ofFunctions_;
};

}  // namespace emulated_gpu
