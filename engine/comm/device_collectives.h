// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/base/failure.h"
#include "engine/comm/communicator.h"
#include "engine/device/device.h"

namespace slipstream {

/// The library of collective operations that a kind of device has.
struct DeviceCollectives {
  const DeviceKind& (*kind)();
  /// A failure that says what to do where it cannot be used.
  Status (*isThere)();
  /// A communicator for memory of such devices, where every rank has one of its own; `messages` carries memory of the
  /// host. Collective. Both must outlive it. Throws NotJoined (on_every_rank.h) where the library does not begin.
  std::unique_ptr<Communicator> (*join)(Communicator& messages, Device& device);
};

/// Null where the kind has none.
const DeviceCollectives* collectivesOf(const DeviceKind& kind);

}  // namespace slipstream
