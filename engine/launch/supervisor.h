// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engine/base/disk_reserve.h"
#include "engine/launch/run_observer.h"
#include "engine/plan/run_plan.h"
#include "engine/store/checkpoint_store.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// After how many seconds a supervisor gives up.
struct Timeouts {
  double start = 120;  ///< until every rank has said hello
  double silence = 5;  ///< without a heartbeat of a rank
  double first = 600;  ///< with heartbeats, but without progress before the first step is done: nobody knows its length
  double progress = 30;       ///< the same inside a later step, or 10 median steps if that is more
  double elsewhere = 300;     ///< the same outside of steps: evaluation, checkpoints
  double stop = 8;            ///< from a stop request until the step is over, or 3 median steps if that is more
  double blockedStore = 600;  ///< without room in the store, or locked out of it; training goes on meanwhile
};

/// Restarts are off unless asked for: a run that failed is resumed by hand. Never where it failed twice in the same way
/// at the same place (restart_decision.h).
struct RestartPolicy {
  int limit = 0;                 ///< whatever it failed of
  int lossLimit = 10;            ///< of losses, where train.on_lost asks for that
  double firstPauseSeconds = 1;  ///< doubled each time
};
/// SLIPSTREAM_RESTARTS, where it is set: the limit of both.
Result<RestartPolicy> restartPolicyFromEnvironment();

/// Whether the programs that a run is made of are there: Open MPI's mpirun, and the worker. Ask before anything is
/// made.
Status programsAreThere(const std::filesystem::path& worker);

/// What the state of a run is that ended, or broke, after SIGTERM.
using Judgement = std::function<RunEnd(const RunEnd&)>;

struct Supervision {
  std::filesystem::path worker;  ///< the worker program
  Timeouts timeouts;
  RestartPolicy restart;
  /// The run had ended as done and is continued from an earlier checkpoint: it stays done where that does not begin.
  bool wasDone = false;
  Judgement judgeTermination = {};  ///< of a job; empty: the state is what it is
};

/// Room that a supervisor keeps to say how its run ended when the disk is full. Fails where there is none.
Result<DiskReserve> reserveRoom(const std::filesystem::path& store);

/// Carries one run from `queued` (or a resumed one) to the end: starts the planned processes, writes what they send,
/// watches, stops on request, restarts by policy. The run's state in the store is honest at every moment.
/// `from`: the checkpoint to continue from. Call it from a thread that lives until it returns, in a program that leaves
/// its children to it; stop requests come by the store and by StopSignals.
RunEnd supervise(RunStore& store, const std::string& runId, const RunPlan& plan,
                 const std::optional<CheckpointManifest>& from, const Supervision& supervision, RunObserver& observer);

/// One sentence for a store that was deleted, moved or replaced under a run: what ends the run then, as failed.
std::string storeIsGone(const RunStore& store);

/// The step from which a run can go on: of its newest full checkpoint, or `step`; nothing: from the beginning. Fails
/// where there is none of that step.
Result<std::optional<std::int64_t>> startingStep(RunStore& store, const std::string& runId,
                                                 std::optional<std::int64_t> step);

/// The folder of an attempt's logs: one a rank, and mpirun.log.
std::filesystem::path attemptLogFolder(const std::filesystem::path& store, const std::string& runId, int attempt);

}  // namespace slipstream
