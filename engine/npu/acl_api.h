// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>

// What is used of Ascend's computing language, in declarations of our own: names, arguments and numbers as its
// documentation of version 8.1 has them. Nothing is linked: the addresses come from the loader (acl_library.h).
extern "C" {

using aclError = int;
using aclrtStream = void*;
using aclrtEvent = void*;
using aclrtBinHandle = void*;
using aclrtFuncHandle = void*;
using aclrtArgsHandle = void*;
using aclrtParamHandle = void*;
struct aclrtBinaryLoadOptions;
struct aclrtLaunchKernelCfg;

aclError aclInit(const char* configPath);
const char* aclGetRecentErrMsg();
aclError aclrtSetSysParamOpt(int what, std::int64_t value);
struct aclCANNPackageVersion {
  char version[128];
  char parts[4][64];
  char reserved[128];
};
aclError aclsysGetCANNVersion(int package, aclCANNPackageVersion* version);

aclError aclrtGetDeviceCount(std::uint32_t* count);
aclError aclrtSetDevice(std::int32_t device);
aclError aclrtGetDevice(std::int32_t* device);
const char* aclrtGetSocName();
aclError aclGetDeviceCapability(std::uint32_t device, int what, std::int64_t* value);
aclError aclrtGetMemInfo(int which, std::size_t* free, std::size_t* total);

aclError aclrtMalloc(void** memory, std::size_t bytes, int policy);
aclError aclrtFree(void* memory);
aclError aclrtMallocHost(void** memory, std::size_t bytes);
aclError aclrtFreeHost(void* memory);
aclError aclrtMemcpyAsync(void* to, std::size_t room, const void* from, std::size_t bytes, int kind,
                          aclrtStream stream);
aclError aclrtMemsetAsync(void* memory, std::size_t room, std::int32_t value, std::size_t bytes, aclrtStream stream);

aclError aclrtCreateStream(aclrtStream* stream);
aclError aclrtDestroyStream(aclrtStream stream);
aclError aclrtSynchronizeStream(aclrtStream stream);
aclError aclrtSynchronizeStreamWithTimeout(aclrtStream stream, std::int32_t milliseconds);
aclError aclrtCreateEvent(aclrtEvent* event);
aclError aclrtDestroyEvent(aclrtEvent event);
aclError aclrtRecordEvent(aclrtEvent event, aclrtStream stream);
aclError aclrtStreamWaitEvent(aclrtStream stream, aclrtEvent event);
aclError aclrtSynchronizeEvent(aclrtEvent event);
aclError aclrtSynchronizeEventWithTimeout(aclrtEvent event, std::int32_t milliseconds);
aclError aclrtQueryEventStatus(aclrtEvent event, int* status);

aclError aclrtBinaryLoadFromFile(const char* path, aclrtBinaryLoadOptions* options, aclrtBinHandle* binary);
aclError aclrtBinaryUnLoad(aclrtBinHandle binary);
aclError aclrtBinaryGetFunction(aclrtBinHandle binary, const char* name, aclrtFuncHandle* function);
aclError aclrtKernelArgsInit(aclrtFuncHandle function, aclrtArgsHandle* arguments);
aclError aclrtKernelArgsAppend(aclrtArgsHandle arguments, void* value, std::size_t bytes, aclrtParamHandle* place);
aclError aclrtKernelArgsFinalize(aclrtArgsHandle arguments);
aclError aclrtLaunchKernelWithConfig(aclrtFuncHandle function, std::uint32_t blocks, aclrtStream stream,
                                     aclrtLaunchKernelCfg* config, aclrtArgsHandle arguments, void* reserved);

}  // extern "C"

namespace slipstream::acl {

inline constexpr aclError success = 0;
inline constexpr aclError repeatedInit = 100'002;
/// The runtime has no memory of the device left.
inline constexpr aclError noMemory = 207'001;

inline constexpr int deterministic = 0;  ///< aclrtSetSysParamOpt: 1 asks for sums in an order that stays
inline constexpr int packageHccl = 3;    ///< aclsysGetCANNVersion

inline constexpr int vectorCores = 1;     ///< aclGetDeviceCapability
inline constexpr int deviceMemory = 1;    ///< aclrtGetMemInfo: high-bandwidth memory
inline constexpr int hugePagesFirst = 0;  ///< aclrtMalloc

inline constexpr int hostToDevice = 1;  ///< aclrtMemcpyAsync
inline constexpr int deviceToHost = 2;
inline constexpr int deviceToDevice = 3;

inline constexpr int eventComplete = 1;  ///< aclrtQueryEventStatus

}  // namespace slipstream::acl
