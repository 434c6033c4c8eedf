// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

#include "engine/plan/run_plan.h"
#include "engine/record/rank_times.h"

namespace slipstream::ui {

/// Which steps a page about time is about.
struct StepsAsked {
  std::int64_t first = 0;
  std::optional<std::int64_t> end = {};  ///< nothing: to the last one there is
};

/// What the store says about the ranks of one run.
struct RanksReading {
  std::vector<RankTime> times;
  std::int64_t first = 0, end = 0;  ///< the steps that `times` is about
  std::int64_t stepsDone = 0;
  int ranks = 0;
  std::string network, dataset;
  MemoryForecast forecast;
  std::map<int, std::map<std::string, std::int64_t>> memory;
};

/// In the reader's thread.
RanksReading readRanks(RunStore& store, const std::string& runId, const StepsAsked& asked);

}  // namespace slipstream::ui
