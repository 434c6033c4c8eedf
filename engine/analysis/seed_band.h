// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

}  // namespace slipstream
