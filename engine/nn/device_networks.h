// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/nn/device_loss.h"
#include "engine/nn/image_input.h"
#include "engine/nn/network_backend.h"

namespace slipstream {

/// What a kind of device trains networks with.
struct DeviceNetworks {
  /// The libraries that this machine or this build lacks for them; empty: nothing. Looks for them where there is no
  /// such device too.
  Failures (*missingLibraries)();
  std::unique_ptr<NetworkBackend> (*makeBackend)(Device& device);
  std::unique_ptr<DeviceLoss> (*makeLoss)(Device& device);
  std::unique_ptr<ImageInput> (*makeImageInput)(Device& device, const ImageNormalization& normalization);
};

/// Throws Error where this program trains no networks on the device.
const DeviceNetworks& networksOf(const DeviceKind& kind);

}  // namespace slipstream
