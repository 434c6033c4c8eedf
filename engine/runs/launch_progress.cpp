// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>

#include <nlohmann/json.hpp>

#include "engine/config/json.h"
#include "engine/experiment/experiment_scope.h"
#include "engine/plan/run_plan.h"
#include "engine/runs/live_status.h"

namespace slipstream {
namespace {

/// Those of the file, unless the launch was given one of its own.
std::vector<std::uint64_t> seedsOfLaunch(const Json& experiment, std::uint64_t own) {
  const auto list = experiment.find("seeds");
  if (list == experiment.end() || !list->is_array()) return {own};
  std::vector<std::uint64_t> seeds;
  for (const Json& seed : *list) {
    if (seed.is_number_unsigned()) seeds.push_back(seed.get<std::uint64_t>());
  }
  return std::ranges::find(seeds, own) == seeds.end() ? std::vector{own} : seeds;
}

}  // namespace

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

std::vector<LaunchedRun> runsOfLaunch(const RunRecord& wholeRun) {
  const Json experiment = Json::parse(wholeRun.experimentText, nullptr, false);
  if (!experiment.is_object()) return {{wholeRun.variant, wholeRun.seed}};
  std::vector<std::string> variants;
  for (const ExperimentScope& scope : scopesOf(experiment)) {
    if (scope.kind == ExperimentScope::Kind::variant) variants.push_back(scope.name);
  }
  if (variants.empty()) variants.push_back(wholeRun.variant);
  std::vector<LaunchedRun> runs;
  for (const std::uint64_t seed : seedsOfLaunch(experiment, wholeRun.seed)) {
    for (const std::string& variant : variants) runs.push_back({variant, seed});
    // Every second seed goes backwards, as the file is read.
    if (runs.size() / variants.size() % 2 == 0) std::reverse(runs.end() - std::ssize(variants), runs.end());
  }
  return runs;
}

}  // namespace slipstream
