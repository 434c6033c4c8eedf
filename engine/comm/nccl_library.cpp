// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/nccl_library.h"

#include "engine/base/error.h"
#include "engine/base/shared_library.h"
#include "engine/comm/nccl_version.h"

namespace slipstream {
namespace {

Result<NcclLibrary> load() {
  SLIPSTREAM_TRY(file, SharedLibrary::open("libnccl.so.2", "", ncclRemedy));
  NcclLibrary library;
  file.find(library.getVersion, "ncclGetVersion");
  int version = 0;
  if (library.getVersion(&version) != ncclSuccess) throw Error("NCCL does not say which version it is");
  SLIPSTREAM_CHECK(checkNcclVersion(version));
  file.find(library.getLastError, "ncclGetLastError");
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
