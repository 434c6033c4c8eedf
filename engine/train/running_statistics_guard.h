// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/nn/network.h"

namespace slipstream {

/// Keeps a network's running statistics, and puts them back when it goes: for passes that must leave no trace.
class RunningStatisticsGuard {
 public:
  explicit RunningStatisticsGuard(Network& network);
  ~RunningStatisticsGuard();
  RunningStatisticsGuard(const RunningStatisticsGuard&) = delete;
  RunningStatisticsGuard& operator=(const RunningStatisticsGuard&) = delete;

  const std::vector<NetworkState>& live() const { return live_; }

 private:
  std::vector<NetworkState> live_;
  std::vector<std::vector<float>> kept_;
};

}  // namespace slipstream
