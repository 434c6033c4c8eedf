// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/study_results/study_runs.h"

namespace slipstream {

/// A figure over the seeds.
struct SeedRange {
  double mean = 0, low = 0, high = 0;
};

/// What a variant comes to, and what it costs, where the factors have some values.
struct TradeOffPoint {
  std::string variant;
  StudySettings factors;
  int seeds = 0;                      ///< that were done
  std::optional<SeedRange> accuracy;  ///< percent, at the end
  std::optional<SeedRange> seconds;   ///< of training
  std::optional<SeedRange> bytes;     ///< measured, of the rank that holds most
  bool onFront = false;  ///< no other point is as good in all three, and better in one; never where one is not known
};

/// One a variant and combination of factors that has a run which is done, in the study's order.
std::vector<TradeOffPoint> tradeOffOf(StudyRuns& runs, const Study& study);

}  // namespace slipstream
