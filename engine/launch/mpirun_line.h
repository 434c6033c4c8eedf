// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// The processes of one attempt: what is executed, with which environment, and the files that it needs.
struct LaunchPlan {
  std::vector<std::string> argv;                   ///< argv[0] is mpirun
  std::map<std::string, std::string> environment;  ///< added to the caller's
  std::map<std::string, std::string> files;  ///< name inside the run's private folder -> text (hostfile, rankfile)
};

/// The script in the private folder by which mpirun reaches other hosts.
inline constexpr const char* remoteShellName = "remote-shell";

/// Folders and names that a launch needs; all exist before the launch.
struct LaunchSettings {
  std::string runId;
  int attempt = 1;
  std::string hubEndpoint;  ///< of engine/hub/hub.h
  std::string workerProgram;
  std::string privateFolder;  ///< sockets, host files, Open MPI's session
  std::string sharedMemoryFolder;
  std::string logFolder;
  int coresOnHost = 1;
  double othersRunning = 0;  ///< of this_host.h's runningOnHost()
  bool asRoot = false;
  // Of several hosts:
  std::vector<std::string> networks;  ///< that they are in, "10.1.0.0/20"; empty: not known
  std::string remoteShell;            ///< text of the script that reaches them (hosts/remote_shell.h)
  std::string linkKeys;               ///< of wire/link_keys.h; never in the line
};

/// Several hosts get the sequential mapper (one host line a rank, in rank order) and daemons by ssh. Never fails: plans
/// are validated.
LaunchPlan launchPlan(const RunPlan& plan, const LaunchSettings& settings);

}  // namespace slipstream
