// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/npu/acl_library.h"

#include "engine/base/error.h"
#include "engine/base/shared_library.h"
#include "engine/spec/device_kind.h"

namespace slipstream {
namespace {

void findMemory(AclLibrary& library, const SharedLibrary& file) {
  file.find(library.allocate, "aclrtMalloc");
  file.find(library.free, "aclrtFree");
  file.find(library.allocateHost, "aclrtMallocHost");
  file.find(library.freeHost, "aclrtFreeHost");
  file.find(library.copy, "aclrtMemcpyAsync");
  file.find(library.set, "aclrtMemsetAsync");
}

void findStreams(AclLibrary& library, const SharedLibrary& file) {
  file.find(library.createStream, "aclrtCreateStream");
  file.find(library.destroyStream, "aclrtDestroyStream");
  file.find(library.synchronizeStream, "aclrtSynchronizeStream");
  file.find(library.synchronizeStreamFor, "aclrtSynchronizeStreamWithTimeout");
  file.find(library.createEvent, "aclrtCreateEvent");
  file.find(library.destroyEvent, "aclrtDestroyEvent");
  file.find(library.recordEvent, "aclrtRecordEvent");
  file.find(library.streamWaitEvent, "aclrtStreamWaitEvent");
  file.find(library.synchronizeEvent, "aclrtSynchronizeEvent");
  file.find(library.synchronizeEventFor, "aclrtSynchronizeEventWithTimeout");
  file.find(library.queryEvent, "aclrtQueryEventStatus");
}

void findKernels(AclLibrary& library, const SharedLibrary& file) {
  file.find(library.loadBinary, "aclrtBinaryLoadFromFile");
  file.find(library.unloadBinary, "aclrtBinaryUnLoad");
  file.find(library.functionOf, "aclrtBinaryGetFunction");
  file.find(library.beginArguments, "aclrtKernelArgsInit");
  file.find(library.appendArgument, "aclrtKernelArgsAppend");
  file.find(library.endArguments, "aclrtKernelArgsFinalize");
  file.find(library.launch, "aclrtLaunchKernelWithConfig");
}

AclLibrary functionsOf(const SharedLibrary& file) {
  AclLibrary library;
  file.find(library.init, "aclInit");
  file.find(library.recentError, "aclGetRecentErrMsg");
  file.find(library.setOption, "aclrtSetSysParamOpt");
  file.find(library.version, "aclsysGetCANNVersion");
  file.find(library.deviceCount, "aclrtGetDeviceCount");
  file.find(library.setDevice, "aclrtSetDevice");
  file.find(library.getDevice, "aclrtGetDevice");
  file.find(library.socName, "aclrtGetSocName");
  file.find(library.deviceCapability, "aclGetDeviceCapability");
  file.find(library.memoryInfo, "aclrtGetMemInfo");
  findMemory(library, file);
  findStreams(library, file);
  findKernels(library, file);
  return library;
}

std::string wordsOf(const AclLibrary& library) {
  const char* words = library.recentError();
  return words == nullptr || *words == '\0' ? "no reason was given" : words;
}

/// The runtime lives as long as the process: memory may outlive the device it is of, and nothing is lost by not ending
/// a runtime that ends with its process.
Result<AclLibrary> load() {
  const auto file = SharedLibrary::open("libascendcl.so", "", "");
  if (!file) return cannIsMissing("libascendcl.so", "devices of Ascend");
  const AclLibrary library = functionsOf(*file);
  const aclError started = library.init(nullptr);
  if (started != acl::success && started != acl::repeatedInit) {
    return fail("device", npuKind().name,
                "Ascend's runtime does not start: " + wordsOf(library) + " (" + std::to_string(started) + ")",
                "check the driver with npu-smi info");
  }
  if (const aclError refused = library.setOption(acl::deterministic, 1); refused != acl::success) {
    return fail(
        "device", npuKind().name,
        "Ascend's operators cannot be made deterministic: " + wordsOf(library) + " (" + std::to_string(refused) + ")",
        "install CANN 8.1 or later");
  }
  return library;
}

}  // namespace

const Result<AclLibrary>& findAcl() {
  static const Result<AclLibrary> library = load();
  return library;
}

const AclLibrary& aclLibrary() {
  const auto& library = findAcl();
  if (!library) throw Error(toText(library.error()));
  return *library;
}

void checkAcl(aclError result, const std::string& what) {
  if (result == acl::success) return;
  throw Error("ACL: " + what + ": " + wordsOf(aclLibrary()) + " (" + std::to_string(result) + ")");
}

tl::unexpected<Failures> cannIsMissing(const std::string& library, const std::string& purpose) {
  return fail("device", npuKind().name,
              "CANN is not installed: " + library + " was not found, which " + purpose + " need", cannRemedy);
}

}  // namespace slipstream
