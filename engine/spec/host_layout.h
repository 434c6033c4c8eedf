// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace slipstream {

/// Which ranks of a group are on one host. Hosts are numbered in the order of their first ranks, and the ranks of a
/// host need not follow one another.
class HostLayout {
 public:
  /// All ranks on one host, however many there are.
  HostLayout() = default;
  /// One entry a rank, equal for ranks of one host. Ranks that are all on one host are the same as HostLayout().
  explicit HostLayout(const std::vector<std::string>& hostOfRank);

  int hosts() const { return oneHost() ? 1 : static_cast<int>(ranksOfHost_.size()); }
  bool oneHost() const { return ranksOfHost_.empty(); }

  // Of several hosts only.
  int hostOf(int rank) const { return hostOfRank_[static_cast<std::size_t>(rank)]; }
  /// In rising order.
  const std::vector<int>& ranksOf(int host) const { return ranksOfHost_[static_cast<std::size_t>(host)]; }
  /// A rank's number among the ranks of its host.
  int indexOnHost(int rank) const;

  /// The layout of a group of these ranks, in this order.
  HostLayout of(const std::vector<int>& ranks) const;
  /// "2+2": the ranks of each host; where they do not follow one another, each rank's host: "0 1 0 1". Empty for one
  /// host.
  std::string text() const;

 private:
  std::vector<int> hostOfRank_;
  std::vector<std::vector<int>> ranksOfHost_;
};

}  // namespace slipstream
