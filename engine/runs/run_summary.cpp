// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/plan/run_plan.h"
#include "engine/record/metric_info.h"
#include "engine/runs/live_status.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {

RunSummary summarizeRun(RunStore& store, const RunRecord& run, int columns) {
  RunSummary summary;
  if (!isTerminal(run.state) && run.remote.empty()) summary.supervisor = livenessOf(run.supervisor);
  if (const auto plan = parseRunPlan(run.planText)) summary.totalSteps = plan->totalSteps;
  std::vector<std::string> damaged;
  const Series loss = readIntactSeries(store, run.id, metric::loss, damaged);
  summary.damage = damageText(damaged);
  if (loss.values.empty()) return summary;
  summary.lastLoss = loss.values.back();
  summary.loss = finalLoss(loss);
  summary.stepsDone = loss.steps.back() + 1;
  const auto broken =
      std::find_if(loss.values.begin(), loss.values.end(), [](double value) { return !std::isfinite(value); });
  if (broken != loss.values.end()) {
    summary.brokenStep = loss.steps[static_cast<std::size_t>(broken - loss.values.begin())];
    summary.brokenLoss = *broken;
  }
  summary.sparkline = decimate(loss, {0, static_cast<double>(loss.steps.back()), columns});
  return summary;
}

}  // namespace slipstream
