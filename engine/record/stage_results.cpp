#include "engine/record/stage_results.h"

#include <algorithm>

namespace slipstream {
namespace {

std::optional<double> valueAt(const Series& series, std::int64_t step) {
  const auto found = std::lower_bound(series.steps.begin(), series.steps.end(), step);
  if (found == series.steps.end() || *found != step) return std::nullopt;
  return series.values[static_cast<std::size_t>(found - series.steps.begin())];
}

}  // namespace

std::vector<StageResult> stageResults(RunStore& store, const std::string& runId, const RunPlan& plan) {
  const Series accuracy = store.series(runId, "accuracy");
  const Series loss = store.series(runId, "evaluation_loss");
  std::vector<StageResult> results;
  for (const StagePlan& stage : stagesOf(plan)) {
    results.push_back({stage, valueAt(accuracy, stage.endStep), valueAt(loss, stage.endStep)});
  }
  return results;
}

std::string startText(const StageStart& start) {
  if (start.stage.empty()) return "fresh weights";
  if (start.wantsMean()) return "the mean of the snapshots of " + start.stage;
  return start.continues ? start.stage + ", going on" : start.stage;
}

}  // namespace slipstream
