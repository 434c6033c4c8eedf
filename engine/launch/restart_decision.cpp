// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/restart_decision.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/text.h"

namespace slipstream {

bool failedAlike(const FailedAttempt& before, const FailedAttempt& now) {
  if (before.failureSignature != now.failureSignature || before.checkpoint != now.checkpoint) return false;
  const std::int64_t unreported = std::max(before.unreportedSteps, now.unreportedSteps);
  return std::max(before.step, now.step) - std::min(before.step, now.step) <= unreported;
}

std::optional<std::string> whyNotAgain(const std::optional<FailedAttempt>& before, const FailedAttempt& now,
                                       int restarts, int limit) {
  if (before && failedAlike(*before, now)) {
    const std::string place = now.step < 0 ? "before its first step" : fmt::format("near step {}", now.step);
    return fmt::format("not started again: it failed twice in the same way {}", place);
  }
  if (restarts < limit) return std::nullopt;
  return fmt::format("not started again after {} (SLIPSTREAM_RESTARTS sets the limit)", counted(limit, "restart"));
}

}  // namespace slipstream
