// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

namespace slipstream {

/// One file that mpirun kept of what a rank printed, or of what it said itself.
struct RankLog {
  int attempt = 0;
  int rank = 0;        ///< -1: mpirun
  std::string stream;  ///< "stdout" or "stderr"; "mpirun" of mpirun
  std::filesystem::path file;
};

/// All logs of a run, found under logs/RUN/attempt-K/JOB/rank.N/, by attempt, rank and stream; empty where there are
/// none.
std::vector<RankLog> rankLogs(const std::filesystem::path& storeFolder, const std::string& runId);

/// The same, and before the ranks of each attempt what mpirun said itself (attempt-K/mpirun.log).
std::vector<RankLog> attemptLogs(const std::filesystem::path& storeFolder, const std::string& runId);

/// The last `count` lines of what a rank printed, without reading the rest of a long file; empty where there are none.
std::string lastLines(const RankLog& log, std::size_t count);

}  // namespace slipstream
