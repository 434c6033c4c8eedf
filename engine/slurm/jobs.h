// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/store/run_store.h"

namespace slipstream {

/// Gives a run to Slurm as a job of this script; returns its number. The run has no supervisor until the job begins.
Result<std::string> submitJob(RunStore& store, const std::string& runId, const std::string& script);

/// Brings the states of runs that Slurm carries on up to date, where nobody here can tell: what queued ones wait for,
/// which were queued again, which ended without a word. Asks Slurm once, and only where there are such runs. Fails, and
/// leaves them as they are, where Slurm does not answer.
Status followJobs(RunStore& store);

/// Stops a run that has not ended: asks its supervisor, or where a job waits in the queue cancels that, which ends the
/// run. Fails where Slurm refuses.
Status stopRun(RunStore& store, const RunRecord& run, StopKind kind);

}  // namespace slipstream
