// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace slipstream {

/// Nanoseconds since 1970, UTC.
std::int64_t wallNanoseconds();
/// "2026-03-14 14:22:07" in UTC, from nanoseconds since 1970.
std::string wallText(std::int64_t nanoseconds);

/// Seconds of a steady clock since it was made or restarted.
class Stopwatch {
 public:
  double seconds() const;
  /// Seconds since the last restart, and starts again.
  double restart();

 private:
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace slipstream
