// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"
#include "engine/runs/measure.h"
#include "engine/runs/run_outcome.h"

namespace slipstream {
namespace {

constexpr const char* stepsDone = "steps";

void addMeasures(const StageOutcome& stage, std::vector<StageMeasure>& all) {
  const std::string& name = stage.stage.name;
  all.push_back({name, stepsDone, static_cast<double>(stage.steps)});
  for (const auto& [key, value] : stage.measured) {
    all.push_back({name, key, measureOf(key).quantity == Quantity::percent ? value / 100 : value});
  }
}

/// None of a run whose plan or values cannot be read: that a stranger's run is damaged is no matter of the others.
std::vector<StageMeasure> measuresOf(RunStore& store, const RunRecord& run) {
  std::vector<StageMeasure> all;
  const auto plan = planToShow(run.planText);
  if (!plan) return all;
  try {
    for (const StageOutcome& stage : outcomeOf(store, run, *plan).stages) addMeasures(stage, all);
  } catch (const StoreDamaged&) {
    all.clear();
  }
  return all;
}

}  // namespace

void keepMeasures(RunStore& store, const std::string& runId) {
  const auto run = store.find(runId);
  if (run && isTerminal(run->state)) store.setMeasures(run->id, measuresOf(store, *run));
}

void keepMissingMeasures(RunStore& store, std::chrono::milliseconds most) {
  constexpr int atOnce = 1000;
  const Stopwatch watch;
  for (const std::string& run : store.unmeasuredRuns(atOnce)) {
    if (watch.seconds() * 1e3 > static_cast<double>(most.count())) return;
    keepMeasures(store, run);
  }
}

}  // namespace slipstream
