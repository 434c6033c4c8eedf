// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/slurm/this_job.h"

#include <chrono>
#include <fstream>
#include <iterator>
#include <thread>

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/scheduler/scheduler.h"
#include "engine/slurm/commands.h"

namespace slipstream {
namespace {

Result<JobFacts> askForFacts(const std::string& id) {
  SLIPSTREAM_TRY(said, slurmSays({"scontrol", "--oneliner", "show", "job", id}));
  return parseJobFacts(said);
}

bool errorsGoIntoAFile(struct stat& status) {
  return ::fstat(STDERR_FILENO, &status) == 0 && S_ISREG(status.st_mode);
}

/// The only one who says so, once it has queued the job again, is Slurm's daemon in the job's own output. A terminal or
/// a pipe would be waited for instead of read.
bool isCalledPreemption(const ThisJob& job) {
  struct stat status {};
  if (!errorsGoIntoAFile(status)) return false;
  std::ifstream output("/proc/self/fd/2", std::ios::binary);
  output.seekg(job.outputSize);
  const std::string text{std::istreambuf_iterator<char>(output), {}};
  return text.find("DUE TO PREEMPTION") != std::string::npos;
}

InterruptedRun preempted(const ThisJob& job, Interruption cause, const std::string& ended) {
  return {cause, RunState::preempted, fmt::format("Slurm job {} made room for another one: {}", job.id, ended)};
}

}  // namespace

std::optional<ThisJob> thisJob() {
  const Scheduler& slurm = submittingScheduler();
  const auto id = environment(slurm.job);
  if (!id) return std::nullopt;
  struct stat status {};
  const bool isFile = errorsGoIntoAFile(status);
  const auto restarts = parseInteger(environment(slurm.restarts).value_or("0"));
  return ThisJob{*id, static_cast<int>(restarts.value_or(0)), isFile ? status.st_size : 0,
                 environment(slurm.jobName).value_or("")};
}

InterruptedRun judgeInterruption(const ThisJob& job, const std::string& ended) {
  const auto facts = askForFacts(job.id);
  if (!facts) {
    return {Interruption::requeued, RunState::queued,
            fmt::format("Slurm told job {} to terminate and does not say why yet ({}): {}", job.id,
                        facts.error().front().problem, ended)};
  }
  const Interruption cause = whyInterrupted(*facts, job.restarts);
  switch (cause) {
    case Interruption::preempted:
      return preempted(job, cause, ended);
    case Interruption::requeued:
      if (isCalledPreemption(job)) return preempted(job, cause, ended);
      return {cause, RunState::queued, fmt::format("Slurm job {} was queued again: {}", job.id, ended)};
    case Interruption::timeLimit:
      return {cause, RunState::queued, fmt::format("Slurm job {} came to its time limit: {}", job.id, ended)};
    case Interruption::cancelled:
      break;
  }
  return {cause, RunState::stopped, fmt::format("Slurm job {} was cancelled: {}", job.id, ended)};
}

Status leaveJob(const ThisJob& job, Interruption cause) {
  constexpr std::chrono::seconds pause{2};
  if (cause == Interruption::timeLimit) SLIPSTREAM_CHECK(slurmSays({"scontrol", "requeue", job.id}));
  while (cause == Interruption::preempted) {
    const auto facts = askForFacts(job.id);
    if (facts && whyInterrupted(*facts, job.restarts) != Interruption::preempted) break;
    std::this_thread::sleep_for(pause);
  }
  return {};
}

}  // namespace slipstream
