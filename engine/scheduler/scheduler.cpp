// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scheduler/scheduler.h"

#include <algorithm>

#include "engine/base/files.h"

namespace slipstream {
namespace {

/// srun's step of one task beside the others of the job, with all processors that the job has on the host.
RemoteShell stepOfOneTask() {
  return {.beforeHost = {"srun", "--overlap", "--nodes=1", "--ntasks=1", "--ntasks-per-node=1", "--cpu-bind=none",
                         "--mpi=none", "--quiet", "--nodelist"},
          .behindHost = {"sh", "-c"}};
}

Scheduler slurm() {
  return {.name = "Slurm",
          .takesRuns = true,
          .job = "SLURM_JOB_ID",
          .jobName = "SLURM_JOB_NAME",
          .restarts = "SLURM_RESTART_COUNT",
          .hosts = {HostList::Form::nodeList, "SLURM_JOB_NODELIST", "SLURM_TASKS_PER_NODE"},
          .shell = stepOfOneTask(),
          .rankLauncher = RankLauncher{"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS"},
          .openMpiReader = "slurm",
          .terminatesEveryProcess = true};
}

}  // namespace

const std::vector<Scheduler>& schedulers() {
  static const std::vector<Scheduler> table{
      slurm(),
      {.name = "PBS", .job = "PBS_JOBID", .hosts = {HostList::Form::fileOfRanks, "PBS_NODEFILE"}},
      {.name = "LSF", .job = "LSB_JOBID", .hosts = {HostList::Form::fileOfRanks, "LSB_DJOB_HOSTFILE"}},
      {.name = "Grid Engine",
       .job = "JOB_ID",
       .hosts = {HostList::Form::fileWithCounts, "PE_HOSTFILE"},
       .openMpiReader = "gridengine"},
  };
  return table;
}

const Scheduler& submittingScheduler() {
  return *std::ranges::find_if(schedulers(), &Scheduler::takesRuns);
}

const Scheduler* schedulerOfThisProcess() {
  const auto& all = schedulers();
  const auto found = std::ranges::find_if(all, [](const Scheduler& one) { return environment(one.job).has_value(); });
  return found == all.end() ? nullptr : &*found;
}

bool isTerminatedWithJob() {
  const Scheduler* scheduler = schedulerOfThisProcess();
  return scheduler != nullptr && scheduler->terminatesEveryProcess;
}

bool isRankVariable(std::string_view name) {
  return std::ranges::any_of(schedulers(), [&](const Scheduler& one) {
    return one.rankLauncher && (name == one.rankLauncher->rank || name == one.rankLauncher->size);
  });
}

}  // namespace slipstream
