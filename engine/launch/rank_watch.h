// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/launch/supervisor.h"
#include "engine/wire/rank_status.h"

namespace slipstream {

/// A rank that does not go on, and how one can tell.
struct FailedRank {
  int rank = -1;  ///< -1: all of them, or nobody can tell
  std::string why;
};

/// What a run of this plan may take: hosts may be cut off for a moment; dim_reduce makes its projection between steps,
/// without an operation of all ranks, and has a limit of its own.
Timeouts timeoutsFor(const RunPlan& plan, Timeouts timeouts);

/// Finds from the ranks' heartbeats which one hangs. Its clock advances at most 200 ms a poll, so that a
/// supervisor that was itself suspended does not blame the ranks.
class RankWatch {
 public:
  RankWatch(int ranks, const Timeouts& timeouts);

  using Clock = std::chrono::steady_clock;

  /// `medianStep`: seconds; 0 where none is done. `time`: when the ranks had this status.
  std::optional<FailedRank> poll(const std::vector<RankStatus>& ranks, double medianStep,
                                 Clock::time_point time = Clock::now());
  /// Seconds since the first poll.
  double now() const { return now_; }

 private:
  struct Rank {
    std::uint64_t heartbeats = 0;
    double heartbeatAt = 0;
    std::int64_t step = 0;
    std::string phase;
    std::uint64_t collectiveSequence = 0;
    bool finished = false;
  };

  void advance(Clock::time_point time);
  double timeoutIn(const RankStatus& rank, double medianStep) const;
  bool note(const RankStatus& status, Rank& rank) const;
  std::optional<FailedRank> missing(const std::vector<RankStatus>& ranks) const;
  std::optional<FailedRank> silent(const std::vector<RankStatus>& ranks) const;
  std::optional<FailedRank> stuck(const std::vector<RankStatus>& ranks, double medianStep) const;

  const Timeouts timeouts_;
  std::vector<Rank> ranks_;
  double now_ = 0;
  double progressAt_ = 0;  ///< when any rank last went on: one that waits in a collective is not the one that failed
  std::optional<Clock::time_point> polledAt_;
};

}  // namespace slipstream
