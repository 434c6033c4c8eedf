#pragma once

#include <cstdint>
#include <span>

#include "engine/nn/activation.h"

namespace slipstream {

/// Makes what a network reads of pictures as they are decoded. All memory is the device's.
class PictureInput {
 public:
  virtual ~PictureInput() = default;
  /// to = (byte - mean) / deviation, by channel; NHWC, of equal sizes.
  virtual void normalize(std::span<const std::uint8_t> pictures, Activation to) = 0;
};

}  // namespace slipstream
