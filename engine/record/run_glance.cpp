#include "engine/record/run_glance.h"

namespace slipstream {

RunGlance glanceAt(RunStore& store, const RunRecord& run, int columns) {
  RunGlance glance;
  if (!isTerminal(run.state)) glance.supervisor = livenessOf(run.supervisor);
  const Series loss = store.series(run.id, "loss");
  if (loss.values.empty()) return glance;
  glance.lastLoss = loss.values.back();
  glance.stepsDone = loss.steps.back() + 1;
  glance.sparkline = decimate(loss, {0, static_cast<double>(loss.steps.back()), columns});
  return glance;
}

}  // namespace slipstream
