// SPDX-License-Identifier: GPL-3.0-or-later
// The fake libascendcl: kernels. A kernel binary is a library of the host that runs the same kernels.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <utility>

#include <dlfcn.h>

#include "tests/npu/fake_cann/fake_runtime.h"

namespace slipstream::fake {
namespace {

constexpr aclError noSuchFile = 107'000;
constexpr aclError noSuchKernel = 107'002;

/// As the library of kernels wants them.
struct Argument {
  std::uint64_t bits;
  std::uint32_t bytes;
};
/// Runs a kernel on the host; not zero: there is none of this name.
using RunKernel = int(const char* name, unsigned blocks, const void* arguments, unsigned count);

struct Binary {
  void* library;
  RunKernel* run;
  std::shared_ptr<std::atomic<int>> waiting = std::make_shared<std::atomic<int>>(0);  ///< launches that have not run
};
struct Function {
  Binary* binary;
  std::string name;
};
struct Arguments {
  std::vector<Argument> values;
  bool complete = false;
};

/// What of a kind lives.
template <class T>
class Handles {
 public:
  void* add(std::unique_ptr<T> object) {
    const std::scoped_lock lock(mutex_);
    T* handle = object.get();
    objects_[handle] = std::move(object);
    return handle;
  }
  T& at(const std::string& call, void* handle, const char* what) {
    const std::scoped_lock lock(mutex_);
    const auto found = objects_.find(static_cast<T*>(handle));
    if (found == objects_.end()) violation(call, std::string("there is no such ") + what + ", or it was used up");
    return *found->second;
  }
  void remove(void* handle) {
    const std::scoped_lock lock(mutex_);
    objects_.erase(static_cast<T*>(handle));
  }

 private:
  std::mutex mutex_;
  std::map<T*, std::unique_ptr<T>> objects_;
};

auto& binaries() {
  static auto* const all = new Handles<Binary>;
  return *all;
}
auto& functions() {
  static auto* const all = new Handles<Function>;
  return *all;
}
auto& arguments() {
  static auto* const all = new Handles<Arguments>;
  return *all;
}

/// Of arguments that are addresses: how far a kernel reaches from there, nobody says.
std::vector<Touched> memoryOf(const std::vector<Argument>& values) {
  std::vector<Touched> uses;
  for (const Argument& value : values) {
    const auto* address = reinterpret_cast<const void*>(value.bits);
    if (value.bytes == sizeof(void*) && isOfDevice(address)) uses.push_back({address, 1});
  }
  return uses;
}

}  // namespace
}  // namespace slipstream::fake

using namespace slipstream::fake;  // NOLINT: the functions below have C's names

extern "C" {

aclError aclrtBinaryLoadFromFile(const char* path, aclrtBinaryLoadOptions*, aclrtBinHandle* binary) {
  currentDevice("aclrtBinaryLoadFromFile");
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return failed(noSuchFile, std::string("the binary cannot be loaded: ") + dlerror());
  auto* run = reinterpret_cast<RunKernel*>(dlsym(library, "slipstream_run_npu_kernel"));
  if (run == nullptr) return failed(noSuchFile, std::string(path) + " holds no kernels");
  *binary = binaries().add(std::make_unique<Binary>(Binary{library, run}));
  return 0;
}

aclError aclrtBinaryUnLoad(aclrtBinHandle binary) {
  const Binary& unloaded = binaries().at("aclrtBinaryUnLoad", binary, "binary");
  if (*unloaded.waiting > 0) violation("aclrtBinaryUnLoad", "a kernel of the binary has not run");
  binaries().remove(binary);
  return 0;
}

aclError aclrtBinaryGetFunction(aclrtBinHandle binary, const char* name, aclrtFuncHandle* function) {
  Binary& of = binaries().at("aclrtBinaryGetFunction", binary, "binary");
  if (of.run(name, 0, nullptr, 0) != 0) return failed(noSuchKernel, std::string("there is no kernel ") + name);
  *function = functions().add(std::make_unique<Function>(Function{&of, name}));
  return 0;
}

aclError aclrtKernelArgsInit(aclrtFuncHandle function, aclrtArgsHandle* list) {
  functions().at("aclrtKernelArgsInit", function, "function");
  *list = arguments().add(std::make_unique<Arguments>());
  return 0;
}

aclError aclrtKernelArgsAppend(aclrtArgsHandle list, void* value, std::size_t bytes, aclrtParamHandle* place) {
  Arguments& to = arguments().at("aclrtKernelArgsAppend", list, "list of arguments");
  if (to.complete) violation("aclrtKernelArgsAppend", "the list was finalized before");
  if (bytes != 4 && bytes != 8) violation("aclrtKernelArgsAppend", "an argument of an unknown size");
  Argument argument{0, static_cast<std::uint32_t>(bytes)};
  std::memcpy(&argument.bits, value, bytes);
  to.values.push_back(argument);
  *place = list;
  return 0;
}

aclError aclrtKernelArgsFinalize(aclrtArgsHandle list) {
  Arguments& to = arguments().at("aclrtKernelArgsFinalize", list, "list of arguments");
  if (to.complete) violation("aclrtKernelArgsFinalize", "the list was finalized before");
  to.complete = true;
  return 0;
}

aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle function, std::uint32_t blocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg*, aclrtArgsHandle list, void*) {
  const Function& of = functions().at("aclrtLaunchKernelWithConfig", function, "function");
  const Arguments& with = arguments().at("aclrtLaunchKernelWithConfig", list, "list of arguments");
  const std::string call = "aclrtLaunchKernelWithConfig of " + of.name;
  if (!with.complete) violation(call, "the list of arguments was not finalized");
  if (blocks == 0) violation(call, "no blocks");
  RunKernel* run = of.binary->run;
  ++*of.binary->waiting;
  give(call, stream, memoryOf(with.values), [=, name = of.name, values = with.values, waiting = of.binary->waiting] {
    const Unlocked unlocked;
    if (run(name.c_str(), blocks, values.data(), static_cast<unsigned>(values.size())) != 0) {
      violation(call, "the kernel did not run");
    }
    --*waiting;
  });
  arguments().remove(list);
  return 0;
}

}  // extern "C"
