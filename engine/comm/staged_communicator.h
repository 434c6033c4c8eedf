// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <memory>

#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// How memory of a device travels through the host.
struct StagingSizes {
  std::size_t chunkBytes = std::size_t{4} << 20;  ///< of an operation in place that is taken at a time; a multiple of 8
  std::size_t inFlight = 4;                       ///< chunks or messages that hold staging memory at once
};

/// A communicator for memory of `device` over one that knows memory of the host only: what lies in the device is copied
/// to staging memory, travels, and is copied back, in chunks that overtake no other, one being copied while another
/// travels. Memory of the host goes straight through. Which of the two a span is, the device's register of addresses
/// says (Device::holds); a span, and those that other ranks give to the same operation, must be of one kind. There is
/// no shared memory: allocateShared gives null, so that whoever asks for it sends messages.
///
/// Both must outlive it; the group of `messages` is to be used through it alone while operations are under way.
std::unique_ptr<Communicator> stageThroughHost(Communicator& messages, Device& device, StagingSizes sizes = {});

}  // namespace slipstream
