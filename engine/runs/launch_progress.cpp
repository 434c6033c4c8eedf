// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/config/json.h"
#include "engine/experiment/experiment_scope.h"
#include "engine/plan/run_plan.h"
#include "engine/runs/live_status.h"

namespace slipstream {

bool wasResumed(RunStore& store, const RunRecord& run) {
  if (run.attempt < 2) return false;
  const std::vector<Event> events = store.events(run.id);
  // A supervisor that restarts a run says so at the end of the attempt before.
  return std::none_of(events.begin(), events.end(), [&](const Event& event) {
    return event.code == "run.restarted" && event.attempt == run.attempt - 1;
  });
}

std::int64_t attemptBegan(RunStore& store, const RunRecord& run) {
  const std::vector<Event> events = store.events(run.id);
  const auto began = std::find_if(events.rbegin(), events.rend(), [&](const Event& event) {
    return event.code == "attempt.started" && event.attempt == run.attempt;
  });
  return began == events.rend() ? 0 : began->wallNanoseconds;
}

std::int64_t endStepOf(RunStore& store, const RunRecord& wholeRun) {
  std::int64_t done = 0;
  if (wholeRun.state == RunState::done) {
    for (const RankProgress& rank : store.rankProgress(wholeRun.id)) done = std::max(done, rank.step + 1);
  }
  if (done > 0) return done;
  const auto plan = parseRunPlan(wholeRun.planText);
  return plan ? plan->totalSteps : 0;
}

std::vector<std::string> variantsOfLaunch(const RunRecord& wholeRun) {
  const Json experiment = Json::parse(wholeRun.experimentText, nullptr, false);
  std::vector<std::string> names;
  if (!experiment.is_object()) return names;
  for (const ExperimentScope& scope : scopesOf(experiment)) {
    if (scope.kind == ExperimentScope::Kind::variant) names.push_back(scope.name);
  }
  return names;
}

}  // namespace slipstream
