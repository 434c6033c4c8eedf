// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_reading.h"

#include <algorithm>

namespace slipstream::ui {

RanksReading readRanks(RunStore& store, const std::string& runId, const StepsAsked& asked) {
  RanksReading reading;
  const auto run = store.find(runId);
  if (!run) return reading;
  reading.ranks = run->ranks;
  if (const auto plan = parseRunPlan(run->planText)) {
    reading.forecast = plan->memoryPerRank;
    reading.network = plan->experiment.network.name;
    reading.dataset = plan->experiment.dataset.name;
  }
  reading.memory = store.memory(runId);
  const Series steps = store.rankSeries(runId, "step_seconds", 0);
  reading.stepsDone = steps.steps.empty() ? 0 : steps.steps.back() + 1;
  reading.end = std::min(asked.end.value_or(reading.stepsDone), reading.stepsDone);
  reading.first = std::min(asked.first, reading.end);
  reading.times = rankTimes(store, runId, reading.ranks, reading.first, reading.end);
  return reading;
}

}  // namespace slipstream::ui
