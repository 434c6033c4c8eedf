// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/clock.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

namespace slipstream {

std::int64_t wallNanoseconds() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::system_clock::now().time_since_epoch())
      .count();
}

std::string wallText(std::int64_t nanoseconds) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S}", fmt::gmtime(static_cast<std::time_t>(nanoseconds / 1'000'000'000)));
}

double Stopwatch::seconds() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double Stopwatch::restart() {
  const auto now = std::chrono::steady_clock::now();
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  start_ = now;
  return elapsed;
}

}  // namespace slipstream
