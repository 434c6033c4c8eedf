// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/remote_shell.h"

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/hosts/run_folder.h"

namespace slipstream {
namespace {

/// A line "EXIT_CODE HOST" for each command that has ended.
constexpr const char* endedCommandsName = "ended-commands";

const RemoteShell& ssh() {
  static const RemoteShell shell{{"ssh", "-x", "-T", "-o", "BatchMode=yes", "-o", "ConnectTimeout=5", "-o",
                                  "ServerAliveInterval=3", "-o", "ServerAliveCountMax=3"},
                                 {}};
  return shell;
}

}  // namespace

std::vector<std::string> sshWords() {
  if (const auto other = environment("SLIPSTREAM_SSH")) return {*other};
  return ssh().beforeHost;
}

RemoteShell remoteShell() {
  const Scheduler* scheduler = schedulerOfThisProcess();
  const bool isScheduled = !environment("SLIPSTREAM_SSH") && scheduler != nullptr && scheduler->shell;
  return isScheduled ? *scheduler->shell : RemoteShell{sshWords(), {}};
}

std::vector<std::string> onHost(const std::string& host, const std::vector<std::string>& command) {
  const RemoteShell shell = remoteShell();
  std::vector<std::string> words = shell.beforeHost;
  words.push_back(host);
  words.insert(words.end(), shell.behindHost.begin(), shell.behindHost.end());
  // A shell that waits for its command would end on signals that are meant for the command.
  words.push_back((shell.behindHost.empty() ? "" : "exec ") + shellLine(command));
  return words;
}

std::string remoteShellScript(const std::string& runId) {
  const RemoteShell shell = remoteShell();
  const std::string behind = shell.behindHost.empty() ? "" : shellLine(shell.behindHost) + " ";
  const std::string replace = shell.behindHost.empty() ? "" : "exec ";
  // The job goes on until its end after all of its processes were told to terminate: its supervisor hears of that by
  // the hosts' agents.
  const std::string shield = isTerminatedWithJob() ? "--block-signal=TERM " : "";
  // A scheduler tells every process to terminate: the shell waits on, and what it has started judges for itself.
  return fmt::format(
      "#!/bin/sh\ntrap : TERM INT HUP\nhost=$1\nshift\n{} \"$host\" {}\"{}env {}{}={} $*\"\ncode=$?\n"
      "echo \"$code $host\" >>\"${{0%/*}}/{}\"\nexit $code\n",
      shellLine(shell.beforeHost), behind, replace, shield, runVariable, runId, endedCommandsName);
}

std::vector<EndedCommand> endedCommands(const std::filesystem::path& folderOfScript) {
  std::vector<EndedCommand> ended;
  for (const std::string& line : split(readFile(folderOfScript / endedCommandsName).value_or(""), '\n')) {
    const auto space = line.find(' ');
    const auto exitCode = parseInteger(std::string_view(line).substr(0, space));
    if (exitCode && space != std::string::npos) ended.push_back({line.substr(space + 1), static_cast<int>(*exitCode)});
  }
  return ended;
}

}  // namespace slipstream
