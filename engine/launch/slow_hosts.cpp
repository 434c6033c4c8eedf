// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/slow_hosts.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/record/metric_info.h"

namespace slipstream {
namespace {

constexpr double windowSeconds = 5;
constexpr int fewestSteps = 3;  ///< of each rank of a host, on average
constexpr double slowFrom = 2;  ///< times as long
constexpr double milliseconds = 1e3;

}  // namespace

std::string describe(const SlowHost& slow) {
  return fmt::format(
      "host {} is slow: its ranks take {:.1f} times as long for their part of a step as the other hosts' "
      "({:.1f} ms, {:.1f} there), and all wait for them",
      slow.host, slow.seconds / slow.others, slow.seconds * milliseconds, slow.others * milliseconds);
}

SlowHosts::SlowHosts(std::vector<std::string> hostOfRank) : hostOfRank_(std::move(hostOfRank)) {
  for (const std::string& host : hostOfRank_) windows_[host];
}

void SlowHosts::add(int rank, const MetricBlock& block) {
  if (windows_.size() < 2) return;
  Window& window = windows_.at(hostOfRank_[static_cast<std::size_t>(rank)]);
  for (std::size_t column = 0; column < block.names.size(); ++column) {
    const bool computes = block.names[column] == metric::computeSeconds;
    if (!computes && block.names[column] != metric::dataSeconds) continue;
    for (std::size_t row = 0; row < block.steps.size(); ++row) {
      window.seconds += block.values[row * block.names.size() + column];
      window.steps += computes ? 1 : 0;
    }
  }
}

std::optional<SlowHost> SlowHosts::poll(double now) {
  if (windows_.size() < 2) return std::nullopt;
  if (!begunAt_) begunAt_ = now;
  if (!isFull(now)) return std::nullopt;
  // The first steps make what later ones have.
  const auto slow = warmedUp_ ? slowest() : std::nullopt;
  warmedUp_ = true;
  for (auto& [host, window] : windows_) window = {};
  begunAt_ = now;
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

std::optional<SlowHost> SlowHosts::slowest() const {
  const auto slower = [](const auto& one, const auto& other) { return one.second.mean() < other.second.mean(); };
  const auto most = std::max_element(windows_.begin(), windows_.end(), slower);
  std::vector<double> others;
  for (auto entry = windows_.begin(); entry != windows_.end(); ++entry) {
    if (entry != most) others.push_back(entry->second.mean());
  }
  const auto middle = others.begin() + static_cast<std::ptrdiff_t>(others.size() / 2);
  std::nth_element(others.begin(), middle, others.end());
  if (*middle <= 0 || most->second.mean() < slowFrom * *middle) return std::nullopt;
  return SlowHost{most->first, most->second.mean(), *middle};
}

}  // namespace slipstream
