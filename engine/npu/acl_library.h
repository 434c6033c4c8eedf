// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/base/failure.h"
#include "engine/npu/acl_api.h"

namespace slipstream {

/// The functions of Ascend's runtime, found when a device is first asked for: a program starts, and trains elsewhere,
/// where CANN is not installed.
struct AclLibrary {
  decltype(&::aclInit) init = nullptr;
  decltype(&::aclGetRecentErrMsg) recentError = nullptr;
  decltype(&::aclrtSetSysParamOpt) setOption = nullptr;
  decltype(&::aclsysGetCANNVersion) version = nullptr;

  decltype(&::aclrtGetDeviceCount) deviceCount = nullptr;
  decltype(&::aclrtSetDevice) setDevice = nullptr;
  decltype(&::aclrtGetDevice) getDevice = nullptr;
  decltype(&::aclrtGetSocName) socName = nullptr;
  decltype(&::aclGetDeviceCapability) deviceCapability = nullptr;
  decltype(&::aclrtGetMemInfo) memoryInfo = nullptr;

  decltype(&::aclrtMalloc) allocate = nullptr;
  decltype(&::aclrtFree) free = nullptr;
  decltype(&::aclrtMallocHost) allocateHost = nullptr;
  decltype(&::aclrtFreeHost) freeHost = nullptr;
  decltype(&::aclrtMemcpyAsync) copy = nullptr;
  decltype(&::aclrtMemsetAsync) set = nullptr;

  decltype(&::aclrtCreateStream) createStream = nullptr;
  decltype(&::aclrtDestroyStream) destroyStream = nullptr;
  decltype(&::aclrtSynchronizeStream) synchronizeStream = nullptr;
  decltype(&::aclrtSynchronizeStreamWithTimeout) synchronizeStreamFor = nullptr;
  decltype(&::aclrtCreateEvent) createEvent = nullptr;
  decltype(&::aclrtDestroyEvent) destroyEvent = nullptr;
  decltype(&::aclrtRecordEvent) recordEvent = nullptr;
  decltype(&::aclrtStreamWaitEvent) streamWaitEvent = nullptr;
  decltype(&::aclrtSynchronizeEvent) synchronizeEvent = nullptr;
  decltype(&::aclrtSynchronizeEventWithTimeout) synchronizeEventFor = nullptr;
  decltype(&::aclrtQueryEventStatus) queryEvent = nullptr;

  decltype(&::aclrtBinaryLoadFromFile) loadBinary = nullptr;
  decltype(&::aclrtBinaryUnLoad) unloadBinary = nullptr;
  decltype(&::aclrtBinaryGetFunction) functionOf = nullptr;
  decltype(&::aclrtKernelArgsInit) beginArguments = nullptr;
  decltype(&::aclrtKernelArgsAppend) appendArgument = nullptr;
  decltype(&::aclrtKernelArgsFinalize) endArguments = nullptr;
  decltype(&::aclrtLaunchKernelWithConfig) launch = nullptr;
};

/// Loads the library and starts the runtime, once in a process, with operators that give the same bits each time. A
/// failure that says what is missing; throws Error where
/// the library is too old, or the runtime does not start.
const Result<AclLibrary>& findAcl();

/// The same where it must be there; throws Error where it is not.
const AclLibrary& aclLibrary();

/// Throws Error with the runtime's own words and number for the failure; `what` says what was being done.
void checkAcl(aclError result, const std::string& what);
/// Without a copy of the words where nothing failed.
inline void checkAcl(aclError result, const char* what) {
  if (result != acl::success) checkAcl(result, std::string(what));
}

/// What to do where one of CANN's libraries is not found.
inline constexpr const char* cannRemedy =
    "install CANN 8.1 or later (Ascend's toolkit) and run its set_env.sh, which puts its folder into LD_LIBRARY_PATH; "
    "or use npu-twin, which runs the same kernels emulated";

/// The failure where one of CANN's libraries is not found.
tl::unexpected<Failures> cannIsMissing(const std::string& library, const std::string& purpose);

}  // namespace slipstream
