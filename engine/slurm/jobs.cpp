// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/jobs.h"

#include <algorithm>
#include <map>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/process_identity.h"
#include "engine/base/text.h"
#include "engine/slurm/commands.h"
#include "engine/slurm/job_facts.h"

namespace slipstream {
namespace {

/// The name of every job of ours begins so.
constexpr const char* namePrefix = "slipstream-";

/// So long a job may be unknown to a controller that answers before it is given up: it was never submitted, or Slurm
/// has forgotten it since (MinJobAge).
constexpr std::int64_t unknownFor = std::int64_t{10} * 60 * 1'000'000'000;

constexpr const char* submittingEvent = "job.submitting";
constexpr const char* idleEvent = "job.idle";

constexpr const char* queueFormat = "--format=%A|%T|%r|%j";

bool isQueued(const RunRecord& run) {
  return run.state == RunState::queued || run.state == RunState::preempted;
}

/// Where only the name is known, the number has not come.
bool hasNumber(const RunRecord& run) {
  return parseInteger(run.job).has_value();
}

/// Whether only Slurm can tell what becomes of it.
bool isSlurms(const RunRecord& run) {
  return isLiving(run.state) && !run.job.empty() &&
         (run.supervisor.pid == 0 || livenessOf(run.supervisor) != Liveness::alive);
}

Result<std::map<std::string, QueuedJob>> askQueue(const std::vector<std::string>& numbers) {
  const auto said = slurmSays({"squeue", "--noheader", "--states=all", queueFormat, "--jobs=" + join(numbers, ",")});
  if (said) return parseQueue(*said);
  // Slurm has forgotten the only job that was asked for.
  if (said.error().front().problem.find("Invalid job id") != std::string::npos)
    return std::map<std::string, QueuedJob>{};
  return tl::unexpected(said.error());
}

/// Name -> number of the jobs of these names that Slurm has.
Result<std::map<std::string, std::string>> findNumbers(const std::vector<std::string>& names) {
  SLIPSTREAM_TRY(said, slurmSays({"squeue", "--noheader", "--states=all", queueFormat, "--name=" + join(names, ",")}));
  std::map<std::string, std::string> numbers;
  for (const auto& [number, job] : parseQueue(said)) numbers.emplace(job.name, number);
  return numbers;
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
            fmt::format("its Slurm job {} was cancelled", run.job) + (hasBegun ? "; " + remedy : "")};
  }
  if (run.state == RunState::preempted) {
    return {RunState::stopped, fmt::format("preempted, and its Slurm job {} {}; {}", run.job, end, remedy)};
  }
  if (run.state == RunState::queued && hasBegun) {
    return {RunState::lost, fmt::format("its Slurm job {} {} before it began again; {}", run.job, end, remedy)};
  }
  if (run.state == RunState::queued) {
    return {RunState::failed, fmt::format("its Slurm job {} {} before it began", run.job, end)};
  }
  return {RunState::lost, fmt::format("its Slurm job {} {} without a word while the run was {}; {}", run.job, end,
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
  if (now && now->state == read.state && now->attempt == read.attempt && now->job == read.job &&
      now->supervisor == read.supervisor) {
    store.setState(read.id, next.state, next.why);
  }
  store.commit();
}

/// The job may have begun meanwhile, and have written its number itself.
void writeNumber(RunStore& store, const std::string& runId, const std::string& name, const std::string& number) {
  store.begin();
  const auto now = store.find(runId);
  if (now && now->job == name) {
    store.setJob(runId, number);
    if (now->state == RunState::queued) store.setState(runId, RunState::queued, "");
  }
  store.commit();
}

void writeName(RunStore& store, const std::string& runId, const std::string& name) {
  store.begin();
  store.setJob(runId, name);
  store.addEvent(runId, {.wallNanoseconds = wallNanoseconds(),
                         .code = submittingEvent,
                         .text = fmt::format("is given to Slurm as the job {}", name)});
  store.commit();
}

/// What the job has written of itself, or Slurm says of its name; asked for as long as the timeouts allow.
std::optional<std::string> searchNumber(RunStore& store, const std::string& runId, const std::string& name,
                                        const SubmitTimeouts& timeouts) {
  const Stopwatch watch;
  while (true) {
    const auto now = store.find(runId);
    if (now && hasNumber(*now)) return now->job;
    if (const auto found = findNumbers({name}); found && found->contains(name)) return found->at(name);
    if (watch.seconds() >= std::chrono::duration<double>(timeouts.search).count()) return std::nullopt;
    std::this_thread::sleep_for(timeouts.pollInterval);
  }
}

/// Wall nanoseconds.
std::int64_t submittedAt(RunStore& store, const RunRecord& run) {
  std::int64_t at = run.createdAt;
  for (const Event& event : store.events(run.id)) {
    if (event.code == submittingEvent) at = event.wallNanoseconds;
  }
  return at;
}

/// The run is nobody's job any more: one of this name that begins after all has nothing to do.
void giveUp(RunStore& store, const RunRecord& read) {
  store.begin();
  const auto now = store.find(read.id);
  if (now && now->job == read.job && now->state == read.state) {
    store.setJob(read.id, "");
    store.setState(read.id, RunState::failed,
                   fmt::format("Slurm does not know the job {} (any more), and it has not begun; 'slipstream submit "
                               "--resume {}' submits it again",
                               read.job, read.id));
  }
  store.commit();
}

/// Runs whose jobs are known by name alone.
Status followNames(RunStore& store, std::vector<RunRecord> runs) {
  std::erase_if(runs, hasNumber);
  if (runs.empty()) return {};
  std::vector<std::string> names;
  for (const RunRecord& run : runs) names.push_back(run.job);
  SLIPSTREAM_TRY(numbers, findNumbers(names));
  for (const RunRecord& run : runs) {
    if (const auto found = numbers.find(run.job); found != numbers.end()) {
      writeNumber(store, run.id, run.job, found->second);
    } else if (wallNanoseconds() - submittedAt(store, run) > unknownFor) {
      giveUp(store, run);
    }
  }
  return {};
}

std::vector<RunRecord> runsOfSlurm(RunStore& store) {
  std::vector<RunRecord> runs = store.heads();
  std::erase_if(runs, [](const RunRecord& run) { return !isSlurms(run); });
  return runs;
}

Failures withRemedy(Failures failures) {
  for (Failure& failure : failures) {
    if (failure.remedy.empty())
      failure.remedy = "sinfo shows what Slurm has, and slipstream plan --slurm what the job asks for";
  }
  return failures;
}

}  // namespace

std::string newJobName(const std::string& runId) {
  return fmt::format("{}{}-{:06x}", namePrefix, runId, std::random_device{}() & 0xffffffU);
}

bool isJobNameOf(const std::string& runId, const std::string& jobName) {
  return startsWith(jobName, namePrefix + runId + "-");
}

Result<SubmittedJob> submitJob(RunStore& store, const std::string& runId, const std::string& jobName,
                               const std::string& script, const SubmitTimeouts& timeouts) {
  writeName(store, runId, jobName);
  SlurmAnswer answer = askSlurm({"sbatch", "--parsable"}, script, timeouts.answer);
  if (!answer.said && answer.isCertain) return tl::unexpected(withRemedy(std::move(answer.said.error())));
  std::optional<std::string> number;
  if (answer.said) number = split(trim(*answer.said), ';').front();  // a cluster's name may follow
  if (!number || !parseInteger(*number)) number = searchNumber(store, runId, jobName, timeouts);
  if (number) {
    writeNumber(store, runId, jobName, *number);
    return SubmittedJob{*number, jobName};
  }
  write(store, store.find(runId).value(), {RunState::queued, "Slurm has not said yet whether it has taken the job"});
  return SubmittedJob{"", jobName};
}

bool noteIdleInterruption(RunStore& store, const std::string& runId) {
  std::int64_t keptAt = 0;
  for (const CheckpointRow& row : store.checkpoints(runId)) keptAt = std::max(keptAt, row.wallNanoseconds);
  bool wasIdle = false;
  for (const Event& event : store.events(runId)) {
    if (event.code == submittingEvent) wasIdle = false;  // another job, of another length
    if (event.code == idleEvent) wasIdle = event.wallNanoseconds > keptAt;
  }
  const RunRecord run = store.find(runId).value();
  store.addEvent(runId, {.wallNanoseconds = wallNanoseconds(),
                         .attempt = run.attempt,
                         .level = EventLevel::warning,
                         .code = idleEvent,
                         .text = "the time limit of its job came before a step was kept"});
  return wasIdle;
}

Status followJobs(RunStore& store) {
  SLIPSTREAM_CHECK(followNames(store, runsOfSlurm(store)));
  std::vector<RunRecord> runs = runsOfSlurm(store);
  std::erase_if(runs, [](const RunRecord& run) { return !hasNumber(run); });
  if (runs.empty()) return {};
  std::vector<std::string> numbers;
  for (const RunRecord& run : runs) numbers.push_back(run.job);
  SLIPSTREAM_TRY(queue, askQueue(numbers));
  for (const RunRecord& run : runs) {
    const auto job = queue.find(run.job);
    if (const auto next = stateFor(run, job == queue.end() ? nullptr : &job->second)) write(store, run, *next);
  }
  return {};
}

Status stopRun(RunStore& store, const RunRecord& run, StopKind kind) {
  // First, so that a job which begins right now hears of it.
  store.requestStop(run.id, kind);
  if (run.job.empty() || !isQueued(run)) return {};
  SLIPSTREAM_CHECK(slurmSays({"scancel", "--state=PENDING", hasNumber(run) ? run.job : "--name=" + run.job}));
  write(store, run,
        {RunState::stopped, fmt::format("stopped while it waited: its Slurm job {} was cancelled", run.job)});
  return {};
}

}  // namespace slipstream
