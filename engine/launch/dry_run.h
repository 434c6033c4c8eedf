// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/launch/mpirun_line.h"
#include "engine/plan/run_plan.h"
#include "engine/rank_table/rank_table.h"

namespace slipstream {

/// Where the ranks of a table would go, and the words that would start them; nothing is trained.
struct DryRun {
  RunPlan plan;                    ///< places, whether all are here, threads; no experiment
  std::vector<std::string> hosts;  ///< of each place, by name: this machine's own where the ranks are here
  std::string command;             ///< mpirun's line, with RUN for what differs from run to run
};
/// `source` names the table in failures. `forceLocal`: all ranks here, as with --local.
Result<DryRun> dryRun(const RankTable& table, const std::string& source, bool forceLocal);

/// A launch as `run` will make it, with words in capitals for what only a run has.
LaunchPlan exampleLaunch(const RunPlan& plan);

/// What one rank says of itself.
struct RankReport {
  int rank = 0;
  std::string host;
  long pid = 0;
  int threads = 0;  ///< OpenMP's, in the rank's environment
  int cores = 0;    ///< that it may use
};

/// Starts every rank of a local plan as a run would, lets it report, and ends it; in rank order. Needs seconds: not for
/// the thread of a window. Fails where one does not report within 30 s, with mpirun's last words.
Result<std::vector<RankReport>> askRanks(const RunPlan& plan);

}  // namespace slipstream
