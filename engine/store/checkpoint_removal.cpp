// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/store/checkpoint_removal.h"

#include <algorithm>

#include "engine/plan/run_plan.h"

namespace slipstream {
namespace {

bool isAlive(const RunRecord& run) {
  return !isTerminal(run.state) && run.supervisor.pid != 0 && livenessOf(run.supervisor) != Liveness::gone;
}

}  // namespace

std::string whyKept(const RunRecord& run, std::int64_t step) {
  if (!run.remote.empty()) return "it is a copy of one of " + run.remote;
  if (isAlive(run)) return "the run is alive and may go back to it";
  const auto plan = parseRunPlan(run.planText);
  const bool unfinished = run.state != RunState::done;
  if (plan && unfinished && startingSteps(*plan).contains(step)) return "a later stage of the run starts from it";
  return "";
}

void forgetUnlistedCheckpoints(RunStore& store, CheckpointStore& checkpoints, const std::string& runId) {
  const auto listed = store.checkpoints(runId);
  for (const std::int64_t step : checkpoints.steps()) {
    const bool known = std::any_of(listed.begin(), listed.end(), [&](const auto& row) { return row.step == step; });
    if (!known) checkpoints.remove(step);
  }
}

Status deleteCheckpoint(RunStore& store, const std::string& runId, std::int64_t step) {
  return deleteCheckpoints(store, runId, {step});
}

Status deleteCheckpoints(RunStore& store, const std::string& runId, const std::vector<std::int64_t>& steps) {
  SLIPSTREAM_TRY(run, store.find(runId));
  for (const std::int64_t step : steps) {
    if (const std::string why = whyKept(run, step); !why.empty()) {
      return fail("checkpoint", std::to_string(step), why, isAlive(run) ? "stop the run first" : "end the run first");
    }
  }
  SLIPSTREAM_TRY(checkpoints, CheckpointStore::openToWrite(store.folder(), runId));
  for (const std::int64_t step : steps) SLIPSTREAM_CHECK(checkpoints->manifest(step));
  for (const std::int64_t step : steps) {
    store.removeCheckpoint(runId, step);
    checkpoints->remove(step);
  }
  checkpoints->compact();
  return {};
}

}  // namespace slipstream
