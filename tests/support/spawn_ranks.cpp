// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/spawn_ranks.h"

#include "engine/comm/thread_communicator.h"

namespace slipstream::test {

// Tests that use it depend on the room comm, which this library therefore does not name.
void spawnRanks(int ranks, const std::function<void(Communicator&)>& body) {
  runThreadRanks(ranks, body);
}

}  // namespace slipstream::test
