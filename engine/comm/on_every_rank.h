// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include "engine/comm/communicator.h"

namespace slipstream {

/// Whether it holds on every rank, so that all decide alike. Collective.
inline bool onEveryRank(bool here, Communicator& messages) {
  std::array<double, 1> missing{here ? 0.0 : 1.0};
  messages.allReduceMax(missing);
  return missing[0] == 0;
}

}  // namespace slipstream
