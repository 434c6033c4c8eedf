// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/host_layout.h"

#include <algorithm>

#include <fmt/format.h>

namespace slipstream {

HostLayout::HostLayout(const std::vector<std::string>& hostOfRank) {
  std::vector<std::string> names;
  for (const std::string& name : hostOfRank) {
    const auto found = std::ranges::find(names, name);
    hostOfRank_.push_back(static_cast<int>(found - names.begin()));
    if (found == names.end()) names.push_back(name);
  }
  if (names.size() < 2) {
    hostOfRank_.clear();
    return;
  }
  ranksOfHost_.resize(names.size());
  for (std::size_t rank = 0; rank < hostOfRank_.size(); ++rank) {
    ranksOfHost_[static_cast<std::size_t>(hostOfRank_[rank])].push_back(static_cast<int>(rank));
  }
}

int HostLayout::indexOnHost(int rank) const {
  const auto& ranks = ranksOf(hostOf(rank));
  return static_cast<int>(std::ranges::lower_bound(ranks, rank) - ranks.begin());
}

HostLayout HostLayout::of(const std::vector<int>& ranks) const {
  if (oneHost()) return {};
  std::vector<std::string> names;
  for (const int rank : ranks) names.push_back(std::to_string(hostOf(rank)));
  return HostLayout(names);
}

std::string HostLayout::text() const {
  if (!std::ranges::is_sorted(hostOfRank_)) return fmt::format("{}", fmt::join(hostOfRank_, " "));
  std::vector<std::size_t> counts;
  for (const auto& ranks : ranksOfHost_) counts.push_back(ranks.size());
  return fmt::format("{}", fmt::join(counts, "+"));
}

}  // namespace slipstream
