// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/job_of_run.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "app/cli/streams/output.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/plan/placement.h"
#include "engine/probe/processor.h"
#include "engine/probe/this_host.h"
#include "engine/runs/run_selection.h"
#include "engine/scheduler/scheduler.h"
#include "engine/slurm/jobs.h"

namespace slipstream::cli {
namespace {

void setDecision(RunPlan& plan, const char* subject, const std::string& state) {
  const auto decision = std::ranges::find(plan.decisions, subject, &Decision::subject);
  if (decision != plan.decisions.end()) decision->state = state;
}

/// The newest step that the run can go on from; 0: from its beginning.
std::int64_t newestKept(RunStore& store, const std::string& run) {
  return startingStep(store, run, std::nullopt).value_or(std::nullopt).value_or(0);
}

}  // namespace

bool isOfThisJob(const RunRecord& run) {
  const auto job = thisJob();
  return job && !run.job.empty() && (run.job == job->id || run.job == job->name);
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
  if (!run) return false;
  if (!isOfThisJob(*run)) {
    const auto job = thisJob();
    return job && isJobNameOf(run->id, job->name);
  }
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

JobOfRun::JobOfRun(RunStore& store, const RunRecord& run)
    : store_(store),
      run_(run.id),
      job_(isOfThisJob(run) ? thisJob() : std::nullopt),
      keptBefore_(newestKept(store, run.id)) {}

Judgement JobOfRun::judgement() {
  if (!job_) return {};
  return [this](const RunEnd& end) { return judge(end); };
}

/// A job whose time limit comes before its first step would be queued again for ever.
RunEnd JobOfRun::judge(const RunEnd& end) {
  InterruptedRun interrupted = judgeInterruption(*job_, end.why);
  const bool isIdle = interrupted.cause == Interruption::timeLimit && newestKept(store_, run_) == keptBefore_;
  if (isIdle && noteIdleInterruption(store_, run_)) {
    return {RunState::failed,
            fmt::format("{} job {} came to its time limit twice before a step was kept, and would do so again: give it "
                        "more time ('slipstream submit --resume {} --time 30'), or a partition with a longer limit",
                        submittingScheduler().name, job_->id, run_)};
  }
  interruption_ = interrupted.cause;
  return {interrupted.state, std::move(interrupted.why)};
}

int JobOfRun::leave(int exitCode) const {
  if (!interruption_) return exitCode;
  const Status left = leaveJob(*job_, *interruption_);
  if (left) return exitCode;
  store_.setState(
      run_, RunState::stopped,
      fmt::format("{} did not queue its job again: {}", submittingScheduler().name, trim(toText(left.error()))));
  return report(left.error());
}

}  // namespace slipstream::cli
