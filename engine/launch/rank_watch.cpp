// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/rank_watch.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "engine/boost/dim_reduce/spec.h"

namespace slipstream {
namespace {

constexpr double longestAdvance = 0.2;
constexpr double mediansOfTimeout = 10;

}  // namespace

Timeouts timeoutsFor(const RunPlan& plan, Timeouts timeouts) {
  constexpr double secondsAfterItsLimit = 60;
  // What TCP sends again after a cable was out for three seconds comes within seven.
  constexpr double silenceBetweenHosts = 8;
  if (!plan.local) timeouts.silence = std::max(timeouts.silence, silenceBetweenHosts);
  for (const StagePlan& stage : stagesOf(plan)) {
    if (!stage.experiment.boost.isOn<DimReduceOptions>()) continue;
    const double projection = stage.experiment.boost.of<DimReduceOptions>().timeout + secondsAfterItsLimit;
    timeouts.first = std::max(timeouts.first, projection);
    timeouts.elsewhere = std::max(timeouts.elsewhere, projection);
  }
  return timeouts;
}

RankWatch::RankWatch(int ranks, const Timeouts& timeouts)
    : timeouts_(timeouts), ranks_(static_cast<std::size_t>(ranks)) {}

void RankWatch::advance(Clock::time_point time) {
  if (polledAt_) now_ += std::min(longestAdvance, std::chrono::duration<double>(time - *polledAt_).count());
  polledAt_ = time;
}

bool RankWatch::note(const RankStatus& status, Rank& rank) const {
  if (status.heartbeats != rank.heartbeats) rank.heartbeatAt = now_;
  rank.heartbeats = status.heartbeats;
  const bool wentOn = status.step != rank.step || status.phase != rank.phase ||
                      status.collectiveSequence != rank.collectiveSequence || status.finished != rank.finished;
  rank.finished = status.finished;
  rank.step = status.step;
  rank.phase = status.phase;
  rank.collectiveSequence = status.collectiveSequence;
  return wentOn;
}

std::optional<FailedRank> RankWatch::poll(const std::vector<RankStatus>& ranks, double medianStep,
                                          Clock::time_point time) {
  advance(time);
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (note(ranks[rank], ranks_[rank])) progressAt_ = now_;
  }
  if (auto failedRank = missing(ranks)) return failedRank;
  if (auto failedRank = silent(ranks)) return failedRank;
  return stuck(ranks, medianStep);
}

std::optional<FailedRank> RankWatch::missing(const std::vector<RankStatus>& ranks) const {
  if (now_ < timeouts_.start) return std::nullopt;
  const auto found = std::find_if(ranks.begin(), ranks.end(), [](const RankStatus& rank) { return rank.pid == 0; });
  if (found == ranks.end()) return std::nullopt;
  return FailedRank{static_cast<int>(found - ranks.begin()),
                    fmt::format("did not come up within {:.0f} s", timeouts_.start)};
}

std::optional<FailedRank> RankWatch::silent(const std::vector<RankStatus>& ranks) const {
  for (std::size_t rank = 0; rank < ranks.size(); ++rank) {
    if (ranks[rank].pid == 0 || ranks[rank].finished) continue;
    if (now_ - ranks_[rank].heartbeatAt < timeouts_.silence) continue;
    return FailedRank{static_cast<int>(rank),
                      fmt::format("has been silent for {:.0f} s (stopped, or its machine is gone) in step {}",
                                  timeouts_.silence, ranks[rank].step)};
  }
  return std::nullopt;
}

double RankWatch::timeoutIn(const RankStatus& rank, double medianStep) const {
  if (medianStep == 0) return timeouts_.first;
  const bool inStep = rank.phase == "step" || rank.phase == "data";
  return inStep ? std::max(timeouts_.progress, mediansOfTimeout * medianStep) : timeouts_.elsewhere;
}

std::optional<FailedRank> RankWatch::stuck(const std::vector<RankStatus>& ranks, double medianStep) const {
  const auto isBehind = [](const RankStatus& one, const RankStatus& other) {
    if (one.finished != other.finished) return other.finished;
    return std::tie(one.step, one.collectiveSequence) < std::tie(other.step, other.collectiveSequence);
  };
  const auto laggard = std::min_element(ranks.begin(), ranks.end(), isBehind);
  const double seconds = timeoutIn(*laggard, medianStep);
  if (now_ - progressAt_ < seconds) return std::nullopt;
  // Where several are in the same collective operation, nobody can tell whom the others wait for.
  const auto level =
      std::count_if(ranks.begin(), ranks.end(), [&](const auto& rank) { return !isBehind(*laggard, rank); });
  const int rank = level == 1 ? static_cast<int>(laggard - ranks.begin()) : -1;
  return FailedRank{rank, fmt::format("hangs: alive, but without progress for {:.0f} s in step {} ({})", seconds,
                                      laggard->step, laggard->phase)};
}

}  // namespace slipstream
