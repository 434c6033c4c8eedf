// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace slipstream {

/// One attempt that failed, and what it leaves to go on from.
struct FailedAttempt {
  std::string failureSignature;  ///< why, without what differs between attempts
  std::int64_t step = -1;        ///< how far it got, as far as it reported; -1: it did not begin
  /// It may have done so many more steps without reporting them.
  std::int64_t unreportedSteps = 0;
  std::int64_t checkpoint = -1;  ///< the newest; -1: none
};

/// Whether two attempts in a row failed at the same place in the same way, so that a third one would as well. One that
/// has left a newer checkpoint, or got clearly further, did not.
bool failedAlike(const FailedAttempt& before, const FailedAttempt& now);

/// Why a failed run is not started again although restarts were asked for; nothing where it is.
std::optional<std::string> whyNotAgain(const std::optional<FailedAttempt>& before, const FailedAttempt& now,
                                       int restarts, int limit);

}  // namespace slipstream
