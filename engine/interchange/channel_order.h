// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/interchange/tensor_source.h"

namespace slipstream {

/// How a tensor lies over the pixels and channels of images: rows of `pixels` x `channels` values where channels
/// are last, of `channels` x `pixels` where they are first. A convolution has a row an output channel, pixels of
/// its kernel; a dense layer behind a flattened image has a row a unit, pixels of the image. 1 x 1: no order.
struct PixelOrder {
  std::int64_t pixels = 1;
  std::int64_t channels = 1;
  bool operator==(const PixelOrder&) const = default;
};

/// Turns values between the two places; `from` is where channels are in `values`.
std::vector<float> turned(std::span<const float> values, const PixelOrder& order, ChannelPlace from);

/// The shape of a tensor whose shape with channels last is `shape`: only convolutions' differ, OHWI and OIHW.
std::vector<std::int64_t> shapeWithChannels(const std::vector<std::int64_t>& shape, ChannelPlace place);

}  // namespace slipstream
