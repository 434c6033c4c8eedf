// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/scheduler/scheduler.h"

namespace slipstream {

/// ssh without any question and with keep-alives, or the program that SLIPSTREAM_SSH names; the host and the command
/// follow. For machines that no job has.
std::vector<std::string> sshWords();

/// The program that SLIPSTREAM_SSH names; else inside a scheduler's job the scheduler's own, where it has one; else ssh
/// without any question and with keep-alives.
RemoteShell remoteShell();

/// The words that run a program on a host: no word of `command` is read by a shell.
std::vector<std::string> onHost(const std::string& host, const std::vector<std::string>& command);

/// A script for Open MPI (plm_rsh_agent), which calls it with a host and a command, its daemon: marks what it starts
/// there with the run's id, so that it is found again, and notes in its own folder that the daemon has ended.
std::string remoteShellScript(const std::string& runId);

/// How a command of remoteShellScript() ended.
struct EndedCommand {
  std::string host;
  int exitCode = 0;  ///< 0: in order; ssh's own where it could not tell
};
/// Those of a script in this folder that have ended, in this order.
std::vector<EndedCommand> endedCommands(const std::filesystem::path& folderOfScript);

}  // namespace slipstream
