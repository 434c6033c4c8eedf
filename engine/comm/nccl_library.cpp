// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/nccl_library.h"

#include "engine/base/error.h"
#include "engine/base/shared_library.h"

namespace slipstream {
namespace {

Result<NcclLibrary> load() {
  SLIPSTREAM_TRY(
      file, SharedLibrary::open("libnccl.so.2", "",
                                "install NCCL 2 (NVIDIA's package libnccl2), or put its folder into LD_LIBRARY_PATH"));
  NcclLibrary library;
  file.find(library.getUniqueId, "ncclGetUniqueId");
  file.find(library.initRank, "ncclCommInitRank");
  file.find(library.destroy, "ncclCommDestroy");
  file.find(library.abort, "ncclCommAbort");
  file.find(library.getAsyncError, "ncclCommGetAsyncError");
  file.find(library.getErrorString, "ncclGetErrorString");
  file.find(library.allReduce, "ncclAllReduce");
  file.find(library.allGather, "ncclAllGather");
  file.find(library.broadcast, "ncclBroadcast");
  file.find(library.send, "ncclSend");
  file.find(library.receive, "ncclRecv");
  file.find(library.groupStart, "ncclGroupStart");
  file.find(library.groupEnd, "ncclGroupEnd");
  return library;
}

}  // namespace

const Result<NcclLibrary>& findNccl() {
  static const Result<NcclLibrary> library = load();
  return library;
}

const NcclLibrary& ncclLibrary() {
  const auto& library = findNccl();
  if (!library) throw Error(toText(library.error()));
  return *library;
}

}  // namespace slipstream
