// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace slipstream {

/// What the supervisor knows of one rank from its line.
struct RankStatus {
  std::int64_t pid = 0;  ///< 0: has not said hello
  std::int64_t step = 0;
  std::string phase;
  std::uint64_t collectiveSequence = 0;
  std::uint64_t heartbeats = 0;  ///< heartbeats received
  double delayedSeconds = 0;     ///< by which its line's thread woke up later than it was to, all in all
  bool finished = false;         ///< it has sent its final message, in order
  bool stopped = false;          ///< it ended because it was asked to
  std::int64_t stepsDone = 0;
  std::string failure;  ///< its own words, where it failed
};

}  // namespace slipstream
