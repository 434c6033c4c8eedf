// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/launch/supervisor.h"
#include "engine/slurm/this_job.h"

namespace slipstream::cli {

// What it means for a run that a job of a scheduler carries it on.

/// Whether the run was given to the job that this process is in: by its number or, where whoever submitted it has not
/// written that down yet, by its name.
bool isOfThisJob(const RunRecord& run);

/// Inside a scheduler's job: places the plan's ranks on its hosts.
Status moveToJob(RunPlan& plan);

/// Decides what depends on the machine of a plan that was made where the run was submitted, as it is decided where it
/// begins.
void fitToThisMachine(RunPlan& plan);

/// Whether this job has nothing to do: somebody stopped the run, or it ended, before the job began, or the run was
/// given to another job since.
bool isOver(RunStore& store, const std::string& run);

/// Reports the failures, and the exit code. Nobody sees what a job prints: its run says why it cannot go on.
int refuse(RunStore& store, const std::string& run, const Failures& failures);

/// What an interruption by the scheduler makes of the run that is supervised here, and of its job afterwards.
class JobOfRun {
 public:
  /// Before the run is supervised.
  JobOfRun(RunStore& store, const RunRecord& run);

  /// For Supervision; nothing where the run is no job's. Refers to this object.
  Judgement judgement();
  /// Leaves the job as its interruption asks for. Fails, and the run has stopped, where the scheduler refuses to queue
  /// the job again.
  int leave(int exitCode) const;

 private:
  RunEnd judge(const RunEnd& end);

  RunStore& store_;
  const std::string run_;
  std::optional<ThisJob> job_;
  std::int64_t keptBefore_ = 0;  ///< the step that it goes on from
  std::optional<Interruption> interruption_;
};

}  // namespace slipstream::cli
