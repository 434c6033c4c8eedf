// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace slipstream {

struct SearchRule {
  double rho;    ///< each try goes this share of the one before
  double sigma;  ///< share of the decrease promised by the slope that must be kept
  int tries;     ///< at most
};

struct SearchResult {
  int power = -1;   ///< m of the accepted rate rho^m; -1: none was accepted
  double rate = 0;  ///< rho^m; 0: none was accepted
  int tries = 0;
};

/// Backtracking: accepts the first rate rho^m, m = 0, 1, .., with lossAt(rate) < loss + sigma rate slope (Armijo's
/// condition, strict). A loss that is not finite is never accepted, and a slope that does not fall is not followed:
/// then nothing is tried. Where `lossAt` is collective and gives every rank the same, ranks agree.
SearchResult searchLine(const SearchRule& rule, double loss, double slope,
                        const std::function<double(double rate)>& lossAt);

}  // namespace slipstream
