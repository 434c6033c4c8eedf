// SPDX-License-Identifier: GPL-3.0-or-later
// A supervisor in a process of its own, so that a test can stop and kill it: STORE RUN [SILENCE PROGRESS [WORKER]].
// Continues from the newest checkpoint where there is one, or from SUPERVISOR_FROM, as a run that was done where
// SUPERVISOR_WAS_DONE is set. SILENCE and PROGRESS shorten its timeouts, in seconds; SUPERVISOR_PAUSE is the pause
// before a restart.
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/launch/stop_signals.h"
#include "engine/launch/supervisor.h"

namespace {

using namespace slipstream;

class Nobody final : public RunObserver {
  void attemptStarted(int, std::int64_t) override {}
  void step(const StepReport&) override {}
  void evaluated(std::int64_t, double) override {}
  void event(const Event&) override {}
};

RunState supervise(int count, char** arguments) {
  const StopSignals signals;
  const std::string folder = arguments[1];
  const std::string runId = arguments[2];
  const auto store = *RunStore::open(folder, StoreAccess::write);
  const RunPlan plan = *parseRunPlan(store->find(runId)->planText);
  Supervision supervision{programFolder() / "fake_worker", {}, *restartPolicyFromEnvironment()};
  if (count > 4) {
    supervision.timeouts.silence = std::atof(arguments[3]);
    supervision.timeouts.progress = std::atof(arguments[4]);
  }
  if (count > 5) supervision.worker = arguments[5];
  supervision.restart.firstPauseSeconds = std::atof(environment("SUPERVISOR_PAUSE").value_or("0.1").c_str());
  supervision.wasDone = environment("SUPERVISOR_WAS_DONE").has_value();
  const auto checkpoints = *CheckpointStore::openToWrite(folder, runId);
  std::optional<CheckpointManifest> from;
  const auto asked = parseInteger(environment("SUPERVISOR_FROM").value_or(""));
  if (const auto step = *startingStep(*store, runId, asked)) from = *checkpoints->manifest(*step);
  Nobody nobody;
  return slipstream::supervise(*store, runId, plan, from, supervision, nobody).state;
}

}  // namespace

int main(int count, char** arguments) {
  try {
    return supervise(count, arguments) == RunState::done ? 0 : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "supervisor: %s\n", error.what());
    return 2;
  }
}
