// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/jobs.h"

#include <map>
#include <vector>

#include <fmt/format.h>

#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/slurm/commands.h"
#include "engine/slurm/job_facts.h"

namespace slipstream {
namespace {

bool isQueued(const RunRecord& run) {
  return run.state == RunState::queued || run.state == RunState::preempted;
}

/// Whether only Slurm can tell what becomes of it.
bool isSlurms(const RunRecord& run) {
  return isLiving(run.state) && !run.slurmJob.empty() &&
         (run.supervisor.pid == 0 || livenessOf(run.supervisor) != Liveness::alive);
}

Result<std::map<std::string, QueuedJob>> askQueue(const std::vector<RunRecord>& runs) {
  std::vector<std::string> numbers;
  for (const RunRecord& run : runs) numbers.push_back(run.slurmJob);
  const auto said =
      slurmSays({"squeue", "--noheader", "--states=all", "--format=%A|%T|%r", "--jobs=" + join(numbers, ",")});
  if (said) return parseQueue(*said);
  // Slurm has forgotten the only job that was asked for.
  if (said.error().front().problem.find("Invalid job id") != std::string::npos)
    return std::map<std::string, QueuedJob>{};
  return tl::unexpected(said.error());
}

struct NewState {
  RunState state = RunState::queued;
  std::string why;
};

NewState stateOfEnded(const RunRecord& run, const QueuedJob* job) {
  const std::string end =
      job == nullptr ? "is no longer known"
                     : fmt::format("ended as {}", job->state + (job->reason == "None" ? "" : " (" + job->reason + ")"));
  const std::string remedy = fmt::format("'slipstream submit --resume {}' continues it", run.id);
  const bool hasBegun = run.attempt > 0;
  if (isQueued(run) && job != nullptr && job->state == "CANCELLED") {
    return {RunState::stopped,
            fmt::format("its Slurm job {} was cancelled", run.slurmJob) + (hasBegun ? "; " + remedy : "")};
  }
  if (run.state == RunState::preempted) {
    return {RunState::stopped, fmt::format("preempted, and its Slurm job {} {}; {}", run.slurmJob, end, remedy)};
  }
  if (run.state == RunState::queued && hasBegun) {
    return {RunState::lost, fmt::format("its Slurm job {} {} before it began again; {}", run.slurmJob, end, remedy)};
  }
  if (run.state == RunState::queued) {
    return {RunState::failed, fmt::format("its Slurm job {} {} before it began", run.slurmJob, end)};
  }
  return {RunState::lost, fmt::format("its Slurm job {} {} without a word while the run was {}; {}", run.slurmJob, end,
                                      nameOf(run.state), remedy)};
}

/// Nothing where the run is as it should be.
std::optional<NewState> stateFor(const RunRecord& run, const QueuedJob* job) {
  if (job != nullptr && isActive(*job)) return std::nullopt;
  if (job == nullptr || !isWaiting(*job)) return stateOfEnded(run, job);
  if (run.state == RunState::preempted) return std::nullopt;
  if (run.state == RunState::queued && run.why == job->reason) return std::nullopt;
  return NewState{RunState::queued, job->reason};
}

/// Its supervisor, or another program, may have said more since it was read.
void write(RunStore& store, const RunRecord& read, const NewState& next) {
  store.begin();
  const auto now = store.find(read.id);
  if (now && now->state == read.state && now->attempt == read.attempt && now->slurmJob == read.slurmJob &&
      now->supervisor == read.supervisor) {
    store.setState(read.id, next.state, next.why);
  }
  store.commit();
}

}  // namespace

Result<std::string> submitJob(RunStore& store, const std::string& runId, const std::string& script) {
  constexpr const char* remedy = "sinfo shows what Slurm has, and slipstream plan --slurm what the job asks for";
  auto said = slurmSays({"sbatch", "--parsable"}, script);
  if (!said) {
    for (Failure& failure : said.error()) {
      if (failure.remedy.empty()) failure.remedy = remedy;
    }
    return tl::unexpected(std::move(said.error()));
  }
  const std::string job = split(trim(*said), ';').front();  // a cluster's name may follow
  if (!parseInteger(job)) return fail("sbatch", *said, "did not answer with a job's number", remedy);
  store.begin();
  const auto now = store.find(runId);
  // It may have begun already.
  if (now && now->slurmJob != job) store.setJob(runId, job);
  store.commit();
  return job;
}

Status followJobs(RunStore& store) {
  std::vector<RunRecord> runs = store.heads();
  std::erase_if(runs, [](const RunRecord& run) { return !isSlurms(run); });
  if (runs.empty()) return {};
  SLIPSTREAM_TRY(queue, askQueue(runs));
  for (const RunRecord& run : runs) {
    const auto job = queue.find(run.slurmJob);
    if (const auto next = stateFor(run, job == queue.end() ? nullptr : &job->second)) write(store, run, *next);
  }
  return {};
}

Status stopRun(RunStore& store, const RunRecord& run, StopKind kind) {
  // First, so that a job which begins right now hears of it.
  store.requestStop(run.id, kind);
  if (run.slurmJob.empty() || !isQueued(run)) return {};
  SLIPSTREAM_CHECK(slurmSays({"scancel", "--state=PENDING", run.slurmJob}));
  write(store, run,
        {RunState::stopped, fmt::format("stopped while it waited: its Slurm job {} was cancelled", run.slurmJob)});
  return {};
}

}  // namespace slipstream
