// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/slow_hosts.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

constexpr double windowSeconds = 5;
constexpr int fewestSteps = 3;           ///< of each rank of a host, on average
constexpr double slowFrom = 2;           ///< times as long
constexpr double leastShare = 0.2;       ///< of a step: else others hardly wait for it
constexpr double delayedFrom = 3;        ///< times as much
constexpr double leastDelayShare = 0.1;  ///< of the time
constexpr double milliseconds = 1e3;

/// The host with the most, if that is `times` what the one in the middle of the others has.
std::optional<SlowHost> outlier(const std::map<std::string, double>& values, double times) {
  const auto less = [](const auto& one, const auto& other) { return one.second < other.second; };
  const auto most = std::max_element(values.begin(), values.end(), less);
  std::vector<double> others;
  for (auto entry = values.begin(); entry != values.end(); ++entry) {
    if (entry != most) others.push_back(entry->second);
  }
  const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
  std::nth_element(others.begin(), middle, others.end());
  if (most->second <= 0 || most->second < times * *middle) return std::nullopt;
  return SlowHost{most->first, most->second, *middle};
}

}  // namespace

std::string describe(const SlowHost& slow) {
  if (slow.delays) {
    return fmt::format(
        "host {} is slow: it keeps its ranks from running for {:.0f} ms of each second (the others {:.0f}), "
        "and all wait for them",
        slow.host, slow.seconds * milliseconds, slow.others * milliseconds);
  }
  return fmt::format(
      "host {} is slow: its ranks take {:.1f} ms for their part of a step (the others {:.1f}), and all "
      "wait for them",
      slow.host, slow.seconds * milliseconds, slow.others * milliseconds);
}

SlowHosts::SlowHosts(std::vector<std::string> hostOfRank) : hostOfRank_(std::move(hostOfRank)) {
  for (const std::string& host : hostOfRank_) windows_[host];
}

void SlowHosts::add(int rank, const MetricBlock& block) {
  if (windows_.size() < 2) return;
  Window& window = windows_.at(hostOfRank_[static_cast<std::size_t>(rank)]);
  for (std::size_t column = 0; column < block.names.size(); ++column) {
    const std::string& name = block.names[column];
    const bool whole = name == metric::stepSeconds;
    if (!whole && name != metric::computeSeconds && name != metric::dataSeconds) continue;
    for (std::size_t row = 0; row < block.steps.size(); ++row) {
      (whole ? window.whole : window.seconds) += block.values[row * block.names.size() + column];
      window.steps += whole ? 1 : 0;
    }
  }
}

std::optional<SlowHost> SlowHosts::poll(double now, const std::vector<double>& delayed) {
  if (windows_.size() < 2) return std::nullopt;
  if (!begunAt_) begunAt_ = now;
  if (!isFull(now)) return std::nullopt;
  // The first steps make what later ones have.
  const auto slow = warmedUp_ ? find(now - *begunAt_, delayed) : std::nullopt;
  warmedUp_ = true;
  for (auto& [host, window] : windows_) window = {};
  begunAt_ = now;
  delayedBefore_ = delaysOf(delayed);
  const bool again = slow && slow->host == suspect_;
  suspect_ = slow ? slow->host : "";
  return again && told_.insert(slow->host).second ? slow : std::nullopt;
}

bool SlowHosts::isFull(double now) const {
  if (now - *begunAt_ < windowSeconds) return false;
  return std::ranges::all_of(windows_, [&](const auto& entry) {
    const auto ranks = std::ranges::count(hostOfRank_, entry.first);
    return entry.second.steps >= fewestSteps * ranks;
  });
}

/// Means over the ranks of each host.
SlowHosts::Values SlowHosts::delaysOf(const std::vector<double>& delayed) const {
  Values sums;
  for (std::size_t rank = 0; rank < hostOfRank_.size(); ++rank) {
    const auto ranks = static_cast<double>(std::ranges::count(hostOfRank_, hostOfRank_[rank]));
    sums[hostOfRank_[rank]] += (rank < delayed.size() ? delayed[rank] : 0) / ranks;
  }
  return sums;
}

std::optional<SlowHost> SlowHosts::find(double seconds, const std::vector<double>& delayed) const {
  Values means;
  for (const auto& [host, window] : windows_) means[host] = window.mean();
  if (auto slow = outlier(means, slowFrom)) {
    const Window& window = windows_.at(slow->host);
    if (slow->seconds - slow->others > leastShare * window.whole / window.steps) return slow;
  }
  Values shares = delaysOf(delayed);
  for (auto& [host, share] : shares) share = (share - delayedBefore_.at(host)) / seconds;
  auto slow = outlier(shares, delayedFrom);
  if (!slow || slow->seconds < leastDelayShare) return std::nullopt;
  slow->delays = true;
  return slow;
}

}  // namespace slipstream
