// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <vector>

namespace slipstream::bench {

/// The value at a share of the sorted values: 0.5 is the median.
inline double quantile(std::vector<double> values, double share) {
  std::sort(values.begin(), values.end());
  const double at = share * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  const double rest = at - static_cast<double>(low);
  return values[low] * (1 - rest) + values[high] * rest;
}

inline double median(const std::vector<double>& values) {
  return quantile(values, 0.5);
}

}  // namespace slipstream::bench
