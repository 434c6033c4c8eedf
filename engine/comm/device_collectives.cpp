// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/comm/device_collectives.h"

#include <algorithm>
#include <array>

#include "engine/comm/hccl_communicator.h"
#include "engine/comm/nccl_communicator.h"

namespace slipstream {
namespace {

constexpr std::array<DeviceCollectives, 2> collectives{{
    {cudaKind, ncclIsThere, joinNccl},
    {npuKind, hcclIsThere, joinHccl},
}};

}  // namespace

const DeviceCollectives* collectivesOf(const DeviceKind& kind) {
  const auto fits = [&](const DeviceCollectives& each) { return &each.kind() == &kind; };
  const auto found = std::ranges::find_if(collectives, fits);
  return found == collectives.end() ? nullptr : &*found;
}

}  // namespace slipstream
