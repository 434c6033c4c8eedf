// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/runs/run_summary.h"

#include <algorithm>
#include <cmath>

#include "engine/plan/run_plan.h"
#include "engine/record/metric_info.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {

RunSummary summarizeRun(RunStore& store, const RunRecord& run, int columns) {
  RunSummary glance;
  if (!isTerminal(run.state)) glance.supervisor = livenessOf(run.supervisor);
  if (const auto plan = parseRunPlan(run.planText)) glance.totalSteps = plan->totalSteps;
  std::vector<std::string> damaged;
  const Series loss = readIntactSeries(store, run.id, metric::loss, damaged);
  glance.damage = damageText(damaged);
  if (loss.values.empty()) return glance;
  glance.lastLoss = loss.values.back();
  glance.loss = finalLoss(loss);
  glance.stepsDone = loss.steps.back() + 1;
  const auto broken =
      std::find_if(loss.values.begin(), loss.values.end(), [](double value) { return !std::isfinite(value); });
  if (broken != loss.values.end()) {
    glance.brokenStep = loss.steps[static_cast<std::size_t>(broken - loss.values.begin())];
    glance.brokenLoss = *broken;
  }
  glance.sparkline = decimate(loss, {0, static_cast<double>(loss.steps.back()), columns});
  return glance;
}

}  // namespace slipstream
