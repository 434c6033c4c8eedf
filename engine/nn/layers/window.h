// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/spec/network_spec.h"

namespace slipstream {

/// The part of a pooling window that lies in the picture, along one dimension: positions [begin, end).
struct WindowExtent {
  std::int64_t begin;
  std::int64_t end;
};

inline WindowExtent windowAt(std::int64_t output, const LayerSpec& spec, std::int64_t inputSize) {
  const auto first = output * spec.stride - paddingOf(spec, inputSize).before;
  return {std::max<std::int64_t>(first, 0), std::min(first + spec.kernel, inputSize)};
}

}  // namespace slipstream
