// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>

#include <unistd.h>

#include "engine/base/files.h"
#include "engine/plan/plan_file.h"
#include "engine/plan/thread_environment.h"
#include "engine/probe/this_host.h"

namespace slipstream::bench {

/// Puts into this process's environment what `run` gives a rank of so many threads, where so many share this machine.
inline void takeRankEnvironment(int threads, int ranks) {
  for (const auto& [name, value] : threadEnvironment(threads, {coresOnHost(), ranks, runningOnHost()})) {
    ::setenv(name.c_str(), value.c_str(), 1);
  }
}

/// Starts this program anew as the only rank of this machine: OpenMP reads its environment before main() begins.
inline void becomeRank(int threads, char** arguments) {
  constexpr const char* marker = "SLIPSTREAM_BENCH_IS_RANK";
  if (environment(marker)) return;
  ::setenv(marker, "1", 1);
  takeRankEnvironment(threads, 1);
  ::execv("/proc/self/exe", arguments);
}

}  // namespace slipstream::bench
