// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/base/failure.h"
#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// Whether HCCL's library is there. Else what to do.
Status hcclIsThere();

/// A communicator for memory of NPUs by HCCL, where every rank has an NPU of its own; `messages` carries memory of the
/// host and the beginning. Reductions give every rank the same bits, and the same each time: of fp32 in an order that
/// is HCCL's and stays, of fp64, which NPUs do not add, in the order of the ranks on the host. A span, and those that
/// other ranks give to the same operation, must be of one kind; an empty one is of both. allocateShared gives null.
/// Collective. Both must outlive it. Throws NotJoined, on every rank alike, where HCCL does not begin on one of them,
/// which it also does not where two ranks share an NPU.
std::unique_ptr<Communicator> joinHccl(Communicator& messages, Device& device);

}  // namespace slipstream
