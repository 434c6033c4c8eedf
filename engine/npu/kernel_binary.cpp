// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/kernel_binary.h"

#include <cstdlib>
#include <filesystem>

#include "engine/base/error.h"
#include "engine/npu/acl_library.h"

namespace slipstream {
namespace {

constexpr const char* variable = "SLIPSTREAM_NPU_KERNELS";
constexpr const char* fileName = "slipstream_npu_kernels.o";

}  // namespace

Result<std::string> npuKernelFile() {
  std::error_code ignored;
  const char* named = std::getenv(variable);
  const std::filesystem::path file =
      named != nullptr ? std::filesystem::path(named)
                       : std::filesystem::read_symlink("/proc/self/exe", ignored).replace_filename(fileName);
  if (std::filesystem::is_regular_file(file, ignored)) return file.string();
  return fail(
      named != nullptr ? variable : "device", file.string(), "the kernels for NPUs are not there",
      "build with -DSLIPSTREAM_CANN=DIR, where CANN's compiler is, or let SLIPSTREAM_NPU_KERNELS name the file");
}

KernelBinary::~KernelBinary() {
  if (binary_ != nullptr) aclLibrary().unloadBinary(binary_);
}

aclrtFuncHandle KernelBinary::function(std::string_view name) {
  const auto known = functions_.find(name);
  if (known != functions_.end()) return known->second;
  if (binary_ == nullptr) load();
  const std::string asked(name);
  aclrtFuncHandle found = nullptr;
  checkAcl(aclLibrary().functionOf(binary_, asked.c_str(), &found), "find the kernel " + asked);
  functions_.emplace(asked, found);
  return found;
}

void KernelBinary::load() {
  const auto file = npuKernelFile();
  if (!file) throw Error(toText(file.error()));
  checkAcl(aclLibrary().loadBinary(file->c_str(), nullptr, &binary_), "load the kernels of " + *file);
}

}  // namespace slipstream
