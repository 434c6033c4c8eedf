// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/record/metric_block.h"

namespace slipstream {

/// A host whose ranks take longer for their own part of a step than those of the others, or are let run less.
struct SlowHost {
  std::string host;
  double seconds = 0;  ///< of computing and waiting for data, a step, on its ranks; or of delays, a second
  double others = 0;   ///< the same of the other hosts, in the middle
  bool delays = false;
};

/// One sentence about it.
std::string describe(const SlowHost& slow);

/// Finds a host that slows the others down, from what the ranks report of their steps: who waits in an exchange waits
/// for another. Each host is told once, after two windows of some seconds in a row.
class SlowHosts {
 public:
  /// One entry a rank; on one host nobody can be told from the others.
  explicit SlowHosts(std::vector<std::string> hostOfRank);

  void add(int rank, const MetricBlock& block);
  /// `now`: seconds of any clock; `delayed`: RankStatus::delayedSeconds by rank.
  std::optional<SlowHost> poll(double now, const std::vector<double>& delayed);

 private:
  struct Window {
    double seconds = 0;
    double whole = 0;  ///< seconds of the steps, what was waited for included
    int steps = 0;
    double mean() const { return seconds / steps; }
  };

  using Values = std::map<std::string, double>;  ///< by host

  bool isFull(double now) const;
  std::optional<SlowHost> find(double seconds, const std::vector<double>& delayed) const;
  Values delaysOf(const std::vector<double>& delayed) const;

  const std::vector<std::string> hostOfRank_;
  std::map<std::string, Window> windows_;  ///< by host
  std::optional<double> begunAt_;
  Values delayedBefore_;  ///< until the window began
  bool warmedUp_ = false;
  std::string suspect_;  ///< of the window before
  std::set<std::string> told_;
};

}  // namespace slipstream
