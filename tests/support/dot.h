// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace slipstream::test {

/// The sum of products in float64. Four sums at once, since each addition waits for the one before it.
inline double dot(const double* first, const double* second, std::int64_t count) {
  double sums[4] = {};
  std::int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    for (int lane = 0; lane < 4; ++lane) sums[lane] += first[i + lane] * second[i + lane];
  }
  for (; i < count; ++i) sums[0] += first[i] * second[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace slipstream::test
