// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/base/failure.h"
#include "engine/record/run_record.h"
#include "engine/slurm/job_facts.h"

namespace slipstream {

/// The job of Slurm that this process is in.
struct ThisJob {
  std::string id;
  int restarts = 0;             ///< how often it was queued again before it began this time
  std::int64_t outputSize = 0;  ///< of the file that is its standard error, when this was asked
  std::string name = {};        ///< that it was submitted with
};
std::optional<ThisJob> thisJob();

/// What an interruption of a job makes of its run.
struct InterruptedRun {
  Interruption cause = Interruption::cancelled;
  RunState state = RunState::stopped;
  std::string why;
};

/// Asks Slurm why it has told this job to terminate. `ended`: how the run ended upon it. Where Slurm does not answer,
/// followJobs() (jobs.h) finds out later.
InterruptedRun judgeInterruption(const ThisJob& job, const std::string& ended);

/// Does what is left to do for the job to go on: queues it again, or waits until Slurm kills it, since a job that ends
/// before counts as completed. Fails where Slurm refuses.
Status leaveJob(const ThisJob& job, Interruption cause);

}  // namespace slipstream
