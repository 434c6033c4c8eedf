// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/shared_library.h"

#include <dlfcn.h>

#include "engine/base/error.h"

namespace slipstream {
namespace {

std::string loaderProblem() {
  const char* text = dlerror();
  return text == nullptr ? "unknown" : text;
}

}  // namespace

Result<SharedLibrary> SharedLibrary::open(const std::string& name, const std::string& path, const std::string& remedy) {
  void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL);
  const std::string problem = handle == nullptr ? loaderProblem() : "";
  if (handle == nullptr && !path.empty()) handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail("device", "", "a library cannot be loaded: " + problem, remedy);
  return SharedLibrary(handle, name);
}

void* SharedLibrary::address(const char* name) const {
  void* found = dlsym(handle_, name);
  if (found == nullptr) throw Error(name_ + " has no function " + name + ": it is too old");
  return found;
}

}  // namespace slipstream
