// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/base/failure.h"
#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// Whether NCCL can be used: it was there when this was built, and its library is there now. Else what to do.
Status ncclIsThere();

/// A communicator for memory of GPUs by NCCL, where every rank has a GPU of its own; `messages` carries memory of the
/// host and the beginning. Reductions give every rank the same bits, but the order of adding is NCCL's. A span, and
/// those that other ranks give to the same operation, must be of one kind; an empty one is of both. allocateShared
/// gives null. Collective. Both must outlive it. Throws NotJoined, on every rank alike, where NCCL does not begin on
/// one of them, which it also does not where two ranks share a GPU.
std::unique_ptr<Communicator> joinNccl(Communicator& messages, Device& device);

}  // namespace slipstream
