#include "engine/train/kept_states.h"

#include <algorithm>

namespace slipstream {

KeptStates::KeptStates(Network& network) : live_(network.states()) {
  for (const NetworkState& state : live_) kept_.emplace_back(state.values.begin(), state.values.end());
}

KeptStates::~KeptStates() {
  for (std::size_t i = 0; i < live_.size(); ++i) std::copy(kept_[i].begin(), kept_[i].end(), live_[i].values.begin());
}

}  // namespace slipstream
