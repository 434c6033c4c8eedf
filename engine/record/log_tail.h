// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/record/run_logs.h"

namespace slipstream {

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
