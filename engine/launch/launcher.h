// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "engine/hosts/process.h"
#include "engine/hub/hub_socket.h"
#include "engine/launch/lost_host.h"
#include "engine/plan/run_plan.h"

namespace slipstream {

/// What an attempt to run is to the one who starts its ranks. What it refers to must outlive it.
struct LaunchedAttempt {
  const RunPlan& plan;
  std::string runId;
  int number = 1;
  std::filesystem::path worker;  ///< the worker program, in the same place on every host
  std::filesystem::path logs;    ///< the attempt's folder of logs in the store
};

/// Starts the ranks of one attempt where its plan places them, and ends them there. One thread, which lives as long as
/// the ranks; nothing waits, but where it says so.
class Launcher {
 public:
  virtual ~Launcher() = default;

  /// Where the hub is to listen so that every rank reaches it. Throws Error where there is no such place.
  virtual HubAddress hubAddress() = 0;
  /// `hubEndpoint`: what was bound. Throws Error where the ranks cannot be started.
  virtual void start(const std::string& hubEndpoint) = 0;
  /// How mpirun ended, where it has.
  virtual std::optional<ProcessEnd> poll() = 0;
  /// Whether mpirun has not taken note of a child's end.
  virtual bool ignoresDeadChild() const = 0;
  /// A host that no longer answers.
  virtual std::optional<LostHost> lostHost() = 0;
  /// The same, but waits ten seconds at most until every host has been heard of anew or is lost: where mpirun has ended
  /// because of a host and does not name it, mpirun may know sooner than lostHost() does.
  virtual std::optional<LostHost> awaitLostHost() { return lostHost(); }
  /// Ends every process of the run on every host, waits for it, and takes the logs of hosts that have their own.
  /// Returns what could not be reached, as a sentence; empty where nothing is left anywhere.
  virtual std::string endEverywhere() = 0;
};

/// The launcher for a plan: on this machine alone, or by ssh.
std::unique_ptr<Launcher> makeLauncher(const LaunchedAttempt& attempt);

}  // namespace slipstream
