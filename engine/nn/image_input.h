// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "engine/device/device.h"
#include "engine/nn/activation.h"
#include "engine/spec/image_normalization.h"

namespace slipstream {

/// Makes what a network reads of images as they are decoded. All memory is the device's.
class ImageInput {
 public:
  virtual ~ImageInput() = default;
  /// to = (byte / 255 - mean) / deviation, by channel; NHWC, of equal sizes. Throws Error where they are not.
  virtual void normalize(std::span<const std::uint8_t> pictures, Activation to) = 0;
};

/// In the host's memory, to fp32: each value computed in double and rounded once. Throws Error where there is not one
/// mean and one deviation a channel.
std::unique_ptr<ImageInput> makeImageInput(Device& device, const ImageNormalization& normalization);

}  // namespace slipstream
