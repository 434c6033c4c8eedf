// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace slipstream {

/// What mpirun's own output says of the process that ended a run.
struct RankDeath {
  int rank = -1;
  int exitCode = 0;
  int signal = 0;  ///< 0: it exited
};
std::optional<RankDeath> readRankDeath(const std::string& mpirunOutput);

/// The host whose daemon mpirun says it has lost.
std::optional<std::string> readLostHost(const std::string& mpirunOutput);

/// The end of what a rank wrote (stderr, else stdout) under an attempt's log folder: at most `lines` lines, without
/// empty ones. Empty where it wrote nothing.
std::string lastLogLines(const std::filesystem::path& attemptLogs, int rank, std::size_t lines);

/// The last 64 KB of a file, from the begin of a line; empty where there is none.
std::string endOfFile(const std::filesystem::path& file);

/// `problem` and, below it, those lines of a log that do not say the same again.
std::string withLog(const std::string& problem, const std::string& logLines);

/// The last lines of a text, without empty ones and without Open MPI's rulers.
std::string lastLines(const std::string& text, std::size_t lines);

}  // namespace slipstream
