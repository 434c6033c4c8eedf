// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace slipstream {

/// Fewer values repeat themselves too often in a draw for an interval that holds what it says.
inline constexpr int fewestForBootstrap = 8;

struct BootstrapInterval {
  double low = 0, high = 0;
};

/// An interval for the mean of paired differences by drawing them anew, seed by seed, each draw measured in its own
/// standard error (bootstrap-t: Efron and Tibshirani 1993, section 12.5). The same `seed` gives the same interval.
/// Nothing of fewer than `fewestForBootstrap` values, or where they do not differ.
std::optional<BootstrapInterval> bootstrapInterval(const std::vector<double>& differences, double miss,
                                                   std::uint64_t seed, int draws = 2000);

}  // namespace slipstream
