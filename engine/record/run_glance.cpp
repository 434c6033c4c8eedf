// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/record/run_glance.h"

#include <algorithm>
#include <cmath>

#include "engine/plan/run_plan.h"
#include "engine/record/run_outcome.h"
#include "engine/record/sound_values.h"

namespace slipstream {

RunGlance glanceAt(RunStore& store, const RunRecord& run, int columns) {
  RunGlance glance;
  if (!isTerminal(run.state)) glance.supervisor = livenessOf(run.supervisor);
  if (const auto plan = parseRunPlan(run.planText)) glance.totalSteps = plan->totalSteps;
  std::vector<std::string> damaged;
  const Series loss = soundSeries(store, run.id, "loss", damaged);
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
