// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/npu/acl_api.h"

// What is used of Ascend's library of collective operations, in declarations of our own (as acl_api.h).
extern "C" {

using HcclResult = int;
using HcclComm = void*;
struct HcclRootInfo {
  char internal[4108];
};
union HcclConfigValue {
  std::int32_t value;
};
struct HcclSendRecvItem {
  int direction;
  void* buffer;
  std::uint64_t count;
  int type;
  std::uint32_t peer;
};

const char* HcclGetErrorString(HcclResult result);
HcclResult HcclSetConfig(int what, HcclConfigValue value);
HcclResult HcclGetRootInfo(HcclRootInfo* root);
HcclResult HcclCommInitRootInfo(std::uint32_t ranks, const HcclRootInfo* root, std::uint32_t rank, HcclComm* group);
HcclResult HcclCommDestroy(HcclComm group);
HcclResult HcclGetCommAsyncError(HcclComm group, HcclResult* state);

HcclResult HcclAllReduce(void* from, void* to, std::uint64_t count, int type, int operation, HcclComm group,
                         aclrtStream stream);
HcclResult HcclBroadcast(void* buffer, std::uint64_t count, int type, std::uint32_t root, HcclComm group,
                         aclrtStream stream);
HcclResult HcclAllGather(void* from, void* to, std::uint64_t countOfEach, int type, HcclComm group, aclrtStream stream);
HcclResult HcclBatchSendRecv(HcclSendRecvItem* items, std::uint32_t count, HcclComm group, aclrtStream stream);

}  // extern "C"

namespace slipstream::hccl {

inline constexpr HcclResult success = 0;
inline constexpr int deterministic = 0;  ///< HcclSetConfig: 1 asks for sums in an order that stays
inline constexpr int sends = 0;          ///< HcclSendRecvItem
inline constexpr int receives = 1;
inline constexpr int int8 = 0;
inline constexpr int float32 = 4;
inline constexpr int sum = 0;

}  // namespace slipstream::hccl
