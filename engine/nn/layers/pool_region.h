// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/spec/network_spec.h"

namespace slipstream {

/// The part of a pool region that lies in the image, along one dimension: positions [begin, end).
struct PoolRegion {
  std::int64_t begin;
  std::int64_t end;
};

inline PoolRegion poolRegionAt(std::int64_t output, const LayerSpec& spec, std::int64_t inputSize) {
  const auto first = output * spec.stride - paddingOf(spec, inputSize).before;
  return {std::max<std::int64_t>(first, 0), std::min(first + spec.kernel, inputSize)};
}

}  // namespace slipstream
