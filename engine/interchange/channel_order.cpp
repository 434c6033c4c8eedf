// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/interchange/channel_order.h"

namespace slipstream {

std::vector<float> turned(std::span<const float> values, const PixelOrder& order, ChannelPlace from) {
  const bool first = from == ChannelPlace::first;
  const auto outer = static_cast<std::size_t>(first ? order.channels : order.pixels);
  const auto inner = static_cast<std::size_t>(first ? order.pixels : order.channels);
  std::vector<float> result(values.size());
  for (std::size_t row = 0; row < values.size(); row += outer * inner) {
    for (std::size_t i = 0; i < outer; ++i) {
      for (std::size_t k = 0; k < inner; ++k) result[row + k * outer + i] = values[row + i * inner + k];
    }
  }
  return result;
}

std::vector<std::int64_t> shapeWithChannels(const std::vector<std::int64_t>& shape, ChannelPlace place) {
  constexpr std::size_t convolution = 4;
  if (place == ChannelPlace::last || shape.size() != convolution) return shape;
  return {shape[0], shape[3], shape[1], shape[2]};
}

}  // namespace slipstream
