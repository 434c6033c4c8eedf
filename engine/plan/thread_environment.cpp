// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/thread_environment.h"

#include "engine/probe/this_host.h"

namespace slipstream {
namespace {

/// Some tenths of a second. A thread that falls asleep between two layers has to be woken by the kernel, and where
/// another program runs beside, it waits for a core then: steps take twice as long. While it spins it keeps its core.
constexpr const char* longSpin = "30000000";

/// Some tens of microseconds, longer than the gap between two layers. Threads that spin longer take the core from
/// another rank that has work, and where others fill the machine they spend on waiting what little of a core they get:
/// ten programs to a core made steps four times as long. Asleep from the start they cost three to five times the step
/// on an idle machine.
constexpr const char* briefSpin = "3000";

/// Threads that each find a core most of the time.
bool fits(int threads, const SharedCores& host) {
  return threads * host.ranks <= host.cores && host.othersRunning < host.cores;
}

}  // namespace

std::map<std::string, std::string> threadEnvironment(int threads, const SharedCores& host) {
  std::map<std::string, std::string> variables{{"OMP_NUM_THREADS", std::to_string(threads)}};
  if (threads == 1 || callerChoosesWaiting()) return variables;
  variables["GOMP_SPINCOUNT"] = fits(threads, host) ? longSpin : briefSpin;
  return variables;
}

}  // namespace slipstream
