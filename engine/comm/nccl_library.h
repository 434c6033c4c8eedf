// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nccl.h>

#include "engine/base/failure.h"

namespace slipstream {

/// NCCL's functions, found when they are first asked for: the library is 200 MB that a machine without GPUs need not
/// have, and a program linked with it would not start there.
struct NcclLibrary {
  decltype(&::ncclGetVersion) getVersion = nullptr;
  decltype(&::ncclGetLastError) getLastError = nullptr;
  decltype(&::ncclGetUniqueId) getUniqueId = nullptr;
  decltype(&::ncclCommInitRank) initRank = nullptr;
  decltype(&::ncclCommDestroy) destroy = nullptr;
  decltype(&::ncclCommAbort) abort = nullptr;
  decltype(&::ncclCommGetAsyncError) getAsyncError = nullptr;
  decltype(&::ncclGetErrorString) getErrorString = nullptr;
  decltype(&::ncclAllReduce) allReduce = nullptr;
  decltype(&::ncclAllGather) allGather = nullptr;
  decltype(&::ncclBroadcast) broadcast = nullptr;
  decltype(&::ncclSend) send = nullptr;
  decltype(&::ncclRecv) receive = nullptr;
  decltype(&::ncclGroupStart) groupStart = nullptr;
  decltype(&::ncclGroupEnd) groupEnd = nullptr;
};

/// A failure where it cannot be loaded or is too old.
const Result<NcclLibrary>& findNccl();

/// The same where it must be there; throws Error where it is not.
const NcclLibrary& ncclLibrary();

}  // namespace slipstream
