// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>

namespace slipstream {

/// The sum of a row in double, in eight lanes: the same bits whatever the processor. Compiled for the instruction set
/// of whatever calls it.
[[gnu::always_inline]] inline double rowSum(const float* values, std::size_t count) {
  constexpr std::size_t lanes = 8;
  std::array<double, lanes> sums{};
  const std::size_t whole = count / lanes * lanes;
  for (std::size_t i = 0; i < whole; i += lanes) {
    for (std::size_t lane = 0; lane < lanes; ++lane) sums[lane] += static_cast<double>(values[i + lane]);
  }
  for (std::size_t i = whole; i < count; ++i) sums[i - whole] += static_cast<double>(values[i]);
  return ((sums[0] + sums[4]) + (sums[2] + sums[6])) + ((sums[1] + sums[5]) + (sums[3] + sums[7]));
}

}  // namespace slipstream
