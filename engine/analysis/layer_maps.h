// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

// What the algorithms did to each layer over the steps of a run, thinned to columns of equal width.

/// One row of a heat map: a value in 0..1 a column; NaN where there is none.
struct HeatRow {
  std::string name;
  std::vector<double> values;
};

/// Steps [firstStep, endStep), which is not empty, in `count` columns.
struct StepColumns {
  std::int64_t firstStep = 0;
  std::int64_t endStep = 1;
  std::size_t count = 1;
};

/// The mean of the finite values in each column; NaN where there is none.
std::vector<double> columnMeans(const Series& series, const StepColumns& columns);

/// One row a tensor in the order of the network: |combined gradient|² over the sum of the ranks' |gradient|², 1 where
/// they are orthogonal. NaN where Adasum did not look at it, as on steps that do not train it. Empty without Adasum.
std::vector<HeatRow> orthogonalityMap(RunStore& store, const std::string& runId, const RunPlan& plan,
                                      const StepColumns& columns);

/// When grad_freeze trained which layers.
struct FreezeTimeline {
  std::vector<HeatRow> rows;  ///< layers that are always trained together: the share of each column that trained them
  double frozenSteps = 0;     ///< share of all steps that left something out
  double savedTime = 0;       ///< share of the time that as many whole steps would have taken; less than 0: none
};
/// Nothing for a run without grad_freeze.
std::optional<FreezeTimeline> freezeTimeline(RunStore& store, const std::string& runId, const RunPlan& plan,
                                             const StepColumns& columns);

/// Share of the snapshots' variance that each direction of dim_reduce explains, the largest first; empty without it.
std::vector<double> explainedVariance(RunStore& store, const std::string& runId);

/// Steps whose update was left out because a gradient overflowed.
std::vector<std::int64_t> skippedSteps(RunStore& store, const std::string& runId);

}  // namespace slipstream
