// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/hccl_library.h"

#include "engine/base/error.h"
#include "engine/base/shared_library.h"
#include "engine/npu/acl_library.h"

namespace slipstream {
namespace {

Result<HcclLibrary> loadHccl() {
  const auto file = SharedLibrary::open("libhccl.so", "", "");
  if (!file) return cannIsMissing("libhccl.so", "ranks with an NPU each");
  HcclLibrary library;
  file->find(library.errorString, "HcclGetErrorString");
  file->find(library.setConfig, "HcclSetConfig");
  file->find(library.rootInfo, "HcclGetRootInfo");
  file->find(library.initRank, "HcclCommInitRootInfo");
  file->find(library.destroy, "HcclCommDestroy");
  file->find(library.asyncError, "HcclGetCommAsyncError");
  file->find(library.allReduce, "HcclAllReduce");
  file->find(library.broadcast, "HcclBroadcast");
  file->find(library.allGather, "HcclAllGather");
  file->find(library.exchange, "HcclBatchSendRecv");
  return library;
}

}  // namespace

const Result<HcclLibrary>& findHccl() {
  static const Result<HcclLibrary> library = loadHccl();
  return library;
}

const HcclLibrary& hcclLibrary() {
  const auto& library = findHccl();
  if (!library) throw Error(toText(library.error()));
  return *library;
}

}  // namespace slipstream
