// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/comm/communicator.h"

namespace slipstream {

/// Runs `body` on `ranks` threads of this process, each with its own communicator of one group, and waits for all of
/// them. Where a rank throws, every wait of the others throws too, and the first exception is thrown again here.
void runThreadRanks(int ranks, const std::function<void(Communicator&)>& body);

}  // namespace slipstream
