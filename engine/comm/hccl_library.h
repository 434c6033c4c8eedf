// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/failure.h"
#include "engine/comm/hccl_api.h"

namespace slipstream {

/// HCCL's functions, found when they are first asked for.
struct HcclLibrary {
  decltype(&::HcclGetErrorString) errorString = nullptr;
  decltype(&::HcclSetConfig) setConfig = nullptr;
  decltype(&::HcclGetRootInfo) rootInfo = nullptr;
  decltype(&::HcclCommInitRootInfo) initRank = nullptr;
  decltype(&::HcclCommDestroy) destroy = nullptr;
  decltype(&::HcclGetCommAsyncError) asyncError = nullptr;
  decltype(&::HcclAllReduce) allReduce = nullptr;
  decltype(&::HcclBroadcast) broadcast = nullptr;
  decltype(&::HcclAllGather) allGather = nullptr;
  decltype(&::HcclBatchSendRecv) exchange = nullptr;
};

/// A failure where it cannot be loaded; throws Error where it is too old.
const Result<HcclLibrary>& findHccl();

/// The same where it must be there; throws Error where it is not.
const HcclLibrary& hcclLibrary();

}  // namespace slipstream
