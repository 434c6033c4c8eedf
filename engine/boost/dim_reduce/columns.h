// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstdint>

#include "engine/nn/parameter_layout.h"

namespace slipstream {

/// How the columns of a projection (the flat space) are shared out: equally wide slices whose width fills whole cache
/// lines, so that the last ones may be shorter or empty. Any number of ranks.
struct ColumnSlices {
  std::int64_t columns;
  int ranks;

  std::int64_t width() const {
    constexpr std::int64_t cacheLine = 16;
    const std::int64_t share = (columns + ranks - 1) / ranks;
    return (share + cacheLine - 1) / cacheLine * cacheLine;
  }
  Range of(int rank) const {
    const std::int64_t begin = std::min(columns, rank * width());
    return {begin, std::min(columns, begin + width())};
  }
};

}  // namespace slipstream
