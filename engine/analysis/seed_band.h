// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/store/run_store.h"

namespace slipstream {

/// The seeds of an experiment together: mean, lowest and highest of those that have the step, at the mean of their
/// times.
struct SeedBand {
  Series mean, lowest, highest;
  std::size_t seeds = 0;  ///< that have any sample
};

SeedBand bundleOf(const std::vector<const Series*>& seeds);

struct SeriesOfSeed {
  std::uint64_t seed = 0;
  const Series* series = nullptr;
};

/// Runs of one seed count once, with their mean, as in comparisons.
SeedBand bundleBySeed(const std::vector<SeriesOfSeed>& runs);

}  // namespace slipstream
