// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace slipstream {

/// Whether a rank table's server_id means this machine: a loopback or own address, `localhost`, or its host name.
bool isThisHost(const std::string& serverId);

/// Whether the environment of this process says how OpenMP's idle threads wait (OMP_WAIT_POLICY or GOMP_SPINCOUNT).
bool callerChoosesWaiting();

/// How many processes and threads of this machine compute or wait for a core, without the one that asks: the mean of
/// some looks within a fiftieth of a second.
double runningOnHost();

/// Processor cores that this process may use.
int coresOnHost();

/// Bytes of main memory.
std::int64_t memoryOfThisMachine();

}  // namespace slipstream
