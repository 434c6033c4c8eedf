// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// A communicator for memory of devices that ranks of one host reach into directly (Device::peerAccess): each sums its
/// slice over everybody's memory and takes the other slices from their owners, in rank order, so that equal inputs give
/// equal bits. `messages` exchanges memory of the host, and the addresses and notices that order the work: one
/// operation on memory of the devices is under way at a time, the others wait for it.
///
/// A span, and those that other ranks give to the same operation, must be of one kind; an empty one is of both. There
/// is no shared memory for the host: allocateShared gives null. Null where a rank's device cannot be reached (on all
/// alike). Collective. Both must outlive it.
std::unique_ptr<Communicator> reachPeers(Communicator& messages, Device& device);

}  // namespace slipstream
