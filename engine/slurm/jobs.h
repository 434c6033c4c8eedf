// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>

#include "engine/slurm/commands.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// A name for a job of the run that no other job has: by it the job is found whose number did not come.
std::string newJobName(const std::string& runId);

/// Whether a job of this name was submitted for the run.
bool isJobNameOf(const std::string& runId, const std::string& jobName);

struct SubmitTimeouts {
  std::chrono::seconds answer{60};  ///< of sbatch
  std::chrono::seconds search{30};  ///< for the job by its name, where sbatch has not answered
  std::chrono::milliseconds pollInterval{2000};
};

/// What came of giving a run to Slurm.
struct SubmittedJob {
  std::string number;  ///< of the job; empty: nobody can tell yet whether Slurm has it
  std::string name;
};

/// Gives a run to Slurm as a job of this script, which has to name the job so. The run has no supervisor until the job
/// begins. Before Slurm is asked, the run is the job's by its name: where no answer comes, or this process dies over
/// it, the job is looked for and not submitted a second time, now and by followJobs(). Fails where Slurm refuses.
Result<SubmittedJob> submitJob(RunStore& store, const std::string& runId, const std::string& jobName,
                               const std::string& script, const SubmitTimeouts& timeouts = {});

/// Notes that the run's job came to its time limit and no step was kept since it began. True where it had done so the
/// last time too: a job of this length gets nowhere, however often it is queued again.
bool noteIdleInterruption(RunStore& store, const std::string& runId);

/// Brings the states of runs that Slurm carries on up to date, where nobody here can tell: what queued ones wait for,
/// which were queued again, which ended without a word, and which numbers jobs have whose numbers did not come. Asks
/// Slurm only where there are such runs. Fails, and leaves them as they are, where Slurm does not answer.
Status followJobs(RunStore& store);

/// Stops a run that has not ended: asks its supervisor, or where a job waits in the queue cancels that, which ends the
/// run. Fails where Slurm refuses.
Status stopRun(RunStore& store, const RunRecord& run, StopKind kind);

}  // namespace slipstream
