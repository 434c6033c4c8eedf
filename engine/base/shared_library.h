// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/failure.h"

namespace slipstream {

/// A library that is looked for when it is wanted, not when the program starts: a program starts on machines without
/// it. Stays loaded to the end, as CUDA's libraries must.
class SharedLibrary {
 public:
  /// By the loader's rules, else as `path` where that is not empty. `remedy` says what to do where neither is there.
  static Result<SharedLibrary> open(const std::string& name, const std::string& path, const std::string& remedy);

  /// Throws Error where the library has no such function.
  template <class Function>
  void find(Function*& function, const char* name) const {
    function = reinterpret_cast<Function*>(address(name));
  }

 private:
  SharedLibrary(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}
  void* address(const char* name) const;

  void* handle_;
  std::string name_;
};

}  // namespace slipstream
