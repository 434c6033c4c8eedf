// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace slipstream {

/// A program that runs a command on another host: its words before the host and behind it, then the command as one word
/// for a shell of that host.
struct RemoteShell {
  std::vector<std::string> beforeHost;
  std::vector<std::string> behindHost;
};

/// How a scheduler tells a job which hosts it has.
struct HostList {
  enum class Form {
    nodeList,        ///< the variable is a list in Slurm's notation, n[1-3,7]; `ranks` names the one with its counts
    fileOfRanks,     ///< the variable names a file with the host of one rank in each line
    fileWithCounts,  ///< the variable names a file of lines "HOST RANKS …"
  };
  Form form = Form::fileOfRanks;
  const char* variable = "";
  const char* ranks = nullptr;
};

/// The program with which a scheduler starts every rank of a parallel program, and the variables in which it tells a
/// rank who it is.
struct RankLauncher {
  const char* program = "";
  const char* rank = "";
  const char* size = "";
};

/// What is known of a scheduler outside of what asks its programs.
struct Scheduler {
  const char* name = "";   ///< for people
  bool takesRuns = false;  ///< runs are submitted to it (engine/slurm): one of the table is so

  // The variables of a job, which every process of it has; null: it has no such variable.
  const char* job = nullptr;       ///< its number
  const char* jobName = nullptr;   ///< the name that it was submitted with
  const char* restarts = nullptr;  ///< how often it was queued again before it began this time

  HostList hosts = {};
  std::optional<RemoteShell> shell = {};          ///< reaches the hosts of the job without a log-in; else ssh does
  std::optional<RankLauncher> rankLauncher = {};  ///< nothing: mpirun alone starts ranks there
  const char* openMpiReader = nullptr;  ///< the component of Open MPI (ras) that would take its hosts by itself

  /// It sends SIGTERM to every process of a job when its end is near, whatever the cause, and may do so more than once:
  /// the supervisor alone judges it, and nothing else of the run ends of it.
  bool terminatesEveryProcess = false;
};

/// In the order in which they are looked for.
const std::vector<Scheduler>& schedulers();

/// The one that takes runs.
const Scheduler& submittingScheduler();

/// The scheduler in one of whose jobs this process is; null in none.
const Scheduler* schedulerOfThisProcess();

/// Whether SIGTERM to this process is a scheduler's word to all processes of a job.
bool isTerminatedWithJob();

/// Whether a launcher of one of the schedulers sets this environment variable to tell a rank who it is. Processes that
/// a rank starts are none.
bool isRankVariable(std::string_view name);

}  // namespace slipstream
