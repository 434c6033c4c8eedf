// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/job_of_run.h"

#include <algorithm>
#include <map>

#include "app/cli/output.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/plan/placement.h"
#include "engine/probe/processor.h"
#include "engine/probe/this_host.h"
#include "engine/runs/run_selection.h"

namespace slipstream::cli {
namespace {

void setDecision(RunPlan& plan, const char* subject, const std::string& state) {
  const auto decision = std::ranges::find(plan.decisions, subject, &Decision::subject);
  if (decision != plan.decisions.end()) decision->state = state;
}

}  // namespace

bool isOfThisJob(const RunRecord& run) {
  const auto job = thisJob();
  if (!job) return false;
  return run.slurmJob == job->id || (run.slurmJob.empty() && run.state == RunState::queued && run.attempt == 0);
}

void fitToThisMachine(RunPlan& plan) {
  std::map<std::string, int> ranks;
  for (const RankPlacement& place : plan.places) ++ranks[place.host];
  const auto most = std::ranges::max_element(ranks, {}, [](const auto& one) { return one.second; })->second;
  plan.threadsPerRank = std::max(1, coresOnHost() / most);
  plan.instructionSet = nameOf(instructionSet());
  setDecision(plan, "threads_per_rank", std::to_string(plan.threadsPerRank));
  setDecision(plan, "instruction_set", plan.instructionSet);
}

Status moveToJob(RunPlan& plan) {
  SLIPSTREAM_TRY(allocation, findAllocation([](const char* name) { return environment(name); }));
  return allocation ? moveToAllocation(plan, *allocation) : Status();
}

bool isOver(RunStore& store, const std::string& word) {
  const auto run = findRun(store, word);
  if (!run || run->slurmJob.empty() || !isOfThisJob(*run)) return false;
  if (run->state == RunState::stopped || run->state == RunState::done) return true;
  if (store.stopRequest(run->id) == StopKind::none) return false;
  store.setState(run->id, RunState::stopped, "stopped while it waited");
  return true;
}

int refuse(RunStore& store, const std::string& word, const Failures& failures) {
  const auto run = findRun(store, word);
  if (run && !isTerminal(run->state) && isOfThisJob(*run))
    store.setState(run->id, RunState::failed, trim(toText(failures)));
  return report(failures);
}

JobOfRun::JobOfRun(const RunRecord& run) : job_(isOfThisJob(run) ? thisJob() : std::nullopt) {}

Judgement JobOfRun::judgement() {
  if (!job_) return {};
  return [this](const RunEnd& end) {
    InterruptedRun interrupted = judgeInterruption(*job_, end.why);
    interruption_ = interrupted.cause;
    return RunEnd{interrupted.state, std::move(interrupted.why)};
  };
}

int JobOfRun::leave(RunStore& store, const std::string& run, int exitCode) const {
  if (!interruption_) return exitCode;
  const Status left = leaveJob(*job_, *interruption_);
  if (left) return exitCode;
  store.setState(run, RunState::stopped, "Slurm did not queue its job again: " + trim(toText(left.error())));
  return report(left.error());
}

}  // namespace slipstream::cli
