#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"
#include "engine/record/run_store.h"

namespace slipstream {

/// What the evaluation at the end of a stage found; nothing where the run has not come so far.
struct StageResult {
  StagePlan stage;
  std::optional<double> accuracy;  ///< share, 0..1
  std::optional<double> loss;      ///< mean over the evaluation set
};

/// One for each stage of the plan, in order.
std::vector<StageResult> stageResults(RunStore& store, const std::string& runId, const RunPlan& plan);

/// "the mean of train's snapshots", "train", "fresh weights".
std::string startText(const StageStart& start);

}  // namespace slipstream
