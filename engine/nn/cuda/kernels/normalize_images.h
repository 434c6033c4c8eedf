// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/base/number_type.h"
#include "engine/cuda/host_device.h"

namespace slipstream {

/// From bytes as images are decoded to what the network reads: (byte - mean) times inverse deviation, by channel.
template <class Value>
struct NormalizeImages {
  const std::uint8_t* pictures;
  const float* mean;              ///< a channel, in units of bytes
  const float* inverseDeviation;  ///< a channel
  std::uint32_t channels;
  Value* result;

  SLIPSTREAM_HOST_DEVICE void operator()(std::uint32_t index) const {
    const std::uint32_t channel = index % channels;
    const float distance = static_cast<float>(pictures[index]) - mean[channel];
    result[index] = fromFloat<Value>(distance * inverseDeviation[channel]);
  }
};

}  // namespace slipstream
