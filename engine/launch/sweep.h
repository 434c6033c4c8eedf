// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <sys/types.h>

namespace slipstream {

/// The environment variable that marks every process of a run.
inline constexpr const char* runVariable = "SLIPSTREAM_RUN";

/// Processes that carry the run's id in their environment, wherever they hang in the process tree; not ourselves.
std::vector<pid_t> processesOfRun(const std::string& runId);

/// Kills all of them (SIGKILL: also the stopped ones) and waits until none is left; those that became our children
/// (adoptOrphans) are reaped. Returns how many there were. Throws Error where one does not go within 5 s.
int sweepRun(const std::string& runId);

/// From now on processes whose parents die become children of this one, so that a sweep can reap them.
void adoptOrphans();

}  // namespace slipstream
