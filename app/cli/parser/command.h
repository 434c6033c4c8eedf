// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/remote/remotes.h"

namespace slipstream::cli {

/// What holds for every command.
struct CommandLine {
  std::string storeFolder;              ///< --store, else SLIPSTREAM_STORE, else the user's data folder; its whole path
  std::string remote = {};              ///< --on: where the command is done; empty: here
  std::vector<std::string> words = {};  ///< as typed, without --on
};

/// Whether a command starts ranks, and whether it supervises them to their end. What a supervisor prints is never
/// thrown (print_line.h): a run outlives whoever reads its lines.
enum class Ranks { none, started, supervised };

/// What another machine is asked to do, and what that reads from its standard input.
struct RemoteTask {
  std::vector<std::string> words;
  std::string input = {};
};

/// A command whose arguments are a T, one struct each, as typed.
template <class T>
struct Command {
  /// Prints results on stdout and errors on stderr, and returns the exit code.
  std::function<int(const T& arguments, const CommandLine& line)> run;
  Ranks ranks = Ranks::none;
  /// For --on; null: the command works with files or remotes of this machine, and is refused.
  std::function<Result<RemoteTask>(const T& arguments, const CommandLine& line, const Remote& remote)> onRemote = {};
};

/// For commands that read and write nothing but the store, so that they mean the same there.
template <class T>
Result<RemoteTask> sameOnRemote(const T&, const CommandLine& line, const Remote&) {
  return RemoteTask{line.words};
}

/// A command with its arguments.
struct ChosenCommand {
  CommandLine line;
  std::function<int()> run;
  Ranks ranks = Ranks::none;
  std::function<Result<RemoteTask>(const Remote& remote)> onRemote = {};  ///< null: as in Command
};

}  // namespace slipstream::cli
