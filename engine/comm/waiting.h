// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <ctime>

#include <sched.h>

#include "engine/comm/communicator.h"

namespace slipstream {

/// Waits until `met()` holds, for a word in shared memory that another rank will write. Gives the core away from the
/// first round on, because ranks may outnumber cores, and sleeps when the wait is long.
template <class Condition>
void waitUntil(Communicator& communicator, Condition&& met) {
  constexpr int yieldingRounds = 256;
  constexpr int roundsPerPoll = 32;
  for (int round = 1; !met(); ++round) {
    if (round % roundsPerPoll == 0) communicator.poll();
    if (round < yieldingRounds) {
      sched_yield();
    } else {
      const timespec pause{0, 50'000};
      nanosleep(&pause, nullptr);
      round = yieldingRounds + round % roundsPerPoll;
    }
  }
}

}  // namespace slipstream
