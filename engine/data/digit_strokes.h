// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace slipstream {

/// A point of the unit square, y downward.
struct StrokePoint {
  double x;
  double y;
};

/// Points that the pen passes without leaving the paper.
using Stroke = std::vector<StrokePoint>;
using Glyph = std::vector<Stroke>;

/// The ways in which people write `digit` (0 to 9).
const std::vector<Glyph>& waysToWrite(int digit);

}  // namespace slipstream
