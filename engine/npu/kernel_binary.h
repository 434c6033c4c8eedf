// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

#include "engine/base/failure.h"
#include "engine/npu/acl_api.h"

namespace slipstream {

/// Where the kernels of this program lie, compiled for an NPU: what SLIPSTREAM_NPU_KERNELS names, else
/// slipstream_npu_kernels.o beside the program. A failure where there is no such file.
Result<std::string> npuKernelFile();

/// The kernels of one NPU, loaded when the first is asked for.
class KernelBinary {
 public:
  KernelBinary() = default;
  ~KernelBinary();
  KernelBinary(const KernelBinary&) = delete;
  KernelBinary& operator=(const KernelBinary&) = delete;

  /// Throws Error where the file is not there, cannot be loaded, or has no such kernel.
  aclrtFuncHandle function(std::string_view name);
  /// Leaves them loaded to the end of the process, where some of them may still run.
  void leave() { binary_ = nullptr; }

 private:
  void load();

  aclrtBinHandle binary_ = nullptr;
  std::map<std::string, aclrtFuncHandle, std::less<>> functions_;
};

}  // namespace slipstream
