// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <vector>

namespace slipstream {

/// p-values of several claims, each made so much larger that all claims below a level are wrong together with that
/// probability at most (Holm 1979, Scand. J. Stat. 6, 65).
std::vector<double> holmAdjusted(const std::vector<double>& pValues);

/// What Holm's procedure comes to, claim by claim.
struct HolmStep {
  bool shown = false;
  int shares = 1;  ///< into how many parts the level was divided for it: its interval misses with level / shares
};

/// `isShown(p, shares)`: whether a p-value is small enough where the level is divided into so many shares.
std::vector<HolmStep> holm(const std::vector<double>& pValues, const std::function<bool(double, int)>& isShown);

/// The most looks at which a study may be judged.
inline constexpr int mostLooks = 5;

/// The two-sided levels of a normal statistic at looks after these shares of all seeds (rising, the last one at most
/// 1), so that a claim at any of them is wrong with `alpha` at most: early ones are strict, as O'Brien and Fleming's
/// are (spent by Lan and DeMets 1983, Biometrika 70, 659).
std::vector<double> levelsOfLooks(const std::vector<double>& shares, double alpha);

}  // namespace slipstream
