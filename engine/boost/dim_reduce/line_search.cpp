// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/line_search.h"

#include <cmath>

namespace slipstream {

SearchResult searchLine(const SearchRule& rule, double loss, double slope,
                        const std::function<double(double rate)>& lossAt) {
  SearchResult result;
  if (!std::isfinite(loss) || !std::isfinite(slope) || slope >= 0) return result;
  double rate = 1;
  for (int power = 0; power < rule.tries; ++power, rate *= rule.rho) {
    ++result.tries;
    const double tried = lossAt(rate);
    if (!std::isfinite(tried) || !(loss + rule.sigma * rate * slope > tried)) continue;
    result.power = power;
    result.rate = rate;
    return result;
  }
  return result;
}

}  // namespace slipstream
