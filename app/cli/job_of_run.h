// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "engine/launch/supervisor.h"
#include "engine/slurm/this_job.h"

namespace slipstream::cli {

// What it means for a run that a job of a scheduler carries it on.

/// Whether the run was given to the job of Slurm that this process is. Who submits a run may not have written down its
/// job yet when that begins.
bool isOfThisJob(const RunRecord& run);

/// Inside a scheduler's job: places the plan's ranks on its hosts.
Status moveToJob(RunPlan& plan);

/// Decides what depends on the machine of a plan that was made where the run was submitted, as it is decided where it
/// begins.
void fitToThisMachine(RunPlan& plan);

/// Whether somebody stopped the run, or it ended, before its job began again.
bool isOver(RunStore& store, const std::string& run);

/// Reports the failures, and the exit code. Nobody sees what a job prints: its run says why it cannot go on.
int refuse(RunStore& store, const std::string& run, const Failures& failures);

/// What an interruption by Slurm makes of the run that is supervised here, and of its job afterwards.
class JobOfRun {
 public:
  explicit JobOfRun(const RunRecord& run);

  /// For Supervision; nothing where the run is no job's. Refers to this object.
  Judgement judgement();
  /// Leaves the job as its interruption asks for. Fails, and the run has stopped, where Slurm refuses to queue the job
  /// again.
  int leave(RunStore& store, const std::string& run, int exitCode) const;

 private:
  std::optional<ThisJob> job_;
  std::optional<Interruption> interruption_;
};

}  // namespace slipstream::cli
