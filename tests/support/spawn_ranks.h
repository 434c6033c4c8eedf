// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

#include "engine/comm/communicator.h"

namespace slipstream::test {

/// Runs `body` as `ranks` threads of this process, each with its own communicator of one group; rethrows the first
/// exception. Defined in engine/comm/thread_communicator.cpp's terms, so that distributed tests always run.
void spawnRanks(int ranks, const std::function<void(Communicator&)>& body);

}  // namespace slipstream::test
