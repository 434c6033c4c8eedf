// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/running_statistics_guard.h"

namespace slipstream {

RunningStatisticsGuard::RunningStatisticsGuard(Network& network) : live_(network.states()) {
  for (const NetworkState& state : live_) kept_.push_back(state.read());
}

RunningStatisticsGuard::~RunningStatisticsGuard() {
  for (std::size_t i = 0; i < live_.size(); ++i) live_[i].write(kept_[i]);
}

}  // namespace slipstream
