// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/plan/run_plan.h"

namespace slipstream {

/// What a job asks Slurm for, beside what the plan of its run says.
struct SlurmRequest {
  std::string partition;  ///< empty: the default one
  std::string time;       ///< "30" (minutes), "2:00:00", "1-12", "UNLIMITED"; empty: the partition's limit
  std::string account;
  int nodes = 1;
  std::string extra;  ///< further options of sbatch, with blanks between them
};

/// Seconds before its time limit at which Slurm tells a job to terminate: for the last step and its checkpoint.
inline constexpr int secondsToCheckpoint = 120;

/// Everything in it that sbatch would refuse or understand otherwise, options that are not for others to give, and a
/// time limit too short for a job to get anywhere.
/// `store`: the folder of the run store, which the script is going to name.
Status checkSlurmRequest(const SlurmRequest& request, const std::string& store);

/// What a batch script is made for.
struct BatchJob {
  std::string name;
  std::vector<std::string> command;  ///< becomes the batch step itself, so that signals reach it
  std::string folder;                ///< what the job prints is in its slurm.log
};

/// The text of the script, whatever names and paths hold; those that pass checkSlurmRequest().
std::string batchScript(const SlurmRequest& request, const RunPlan& plan, const BatchJob& job);

}  // namespace slipstream
