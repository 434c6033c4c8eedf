// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "engine/record/metric_block.h"

namespace slipstream {

/// A host whose ranks take longer for their own part of a step than those of the others.
struct SlowHost {
  std::string host;
  double seconds = 0;  ///< of computing and waiting for data, a step, on its ranks
  double others = 0;   ///< the same of the other hosts, in the middle
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
  /// `now`: seconds of any clock.
  std::optional<SlowHost> poll(double now);

 private:
  struct Window {
    double seconds = 0;
    int steps = 0;
    double mean() const { return seconds / steps; }
  };

  bool isFull(double now) const;
  std::optional<SlowHost> slowest() const;

  const std::vector<std::string> hostOfRank_;
  std::map<std::string, Window> windows_;  ///< by host
  std::optional<double> begunAt_;
  bool warmedUp_ = false;
  std::string suspect_;  ///< of the window before
  std::set<std::string> told_;
};

}  // namespace slipstream
