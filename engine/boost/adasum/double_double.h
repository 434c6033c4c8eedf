// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace slipstream {

/// (high, low) += (otherHigh, otherLow), numbers of twice a double's digits (two-sum: Knuth, TAOCP vol. 2, 4.2.2).
constexpr void addHighLow(double& high, double& low, double otherHigh, double otherLow) {
  const double sum = high + otherHigh;
  const double part = sum - high;
  low += ((high - (sum - part)) + (otherHigh - part)) + otherLow;
  high = sum;
}

/// What both amount to. What is infinite or no number has no rest: its low part means nothing.
constexpr double roundedHighLow(double high, double low) {
  return high - high == 0 ? high + low : high;
}

}  // namespace slipstream
