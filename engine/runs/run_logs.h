// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
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

/// How far each log has been read: file -> bytes.
using LogPositions = std::map<std::filesystem::path, std::uintmax_t>;

/// What a log holds that was not read before: whole lines, each ended by a line break.
struct LogPiece {
  RankLog log;
  std::string text;
  bool skipped = false;  ///< lines before were left out
};

/// Reads what is new in `logs` since `positions`, which move on: of each at most its last `mostBytes`, whatever its
/// size. A line without its end waits, unless the run has `ended`. A file that has become shorter is read anew; one
/// that cannot be read has nothing new.
std::vector<LogPiece> newLogText(const std::vector<RankLog>& logs, LogPositions& positions, bool ended,
                                 std::uintmax_t mostBytes);

}  // namespace slipstream
