// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

#include "app/cli/parser/command.h"

namespace slipstream::cli {

class ArgumentParser;

struct RemoteAddArguments {
  std::string name;
  std::string place;  ///< HOST[:STORE]
  std::optional<std::string> program;
  bool slurm = false;
  bool json = false;
};
struct RemoteListArguments {
  bool json = false;
};
struct RemoteRemoveArguments {
  std::string name;
  bool json = false;
};
struct RemoteCheckArguments {
  std::string name;
  bool json = false;
};
struct RemoteSyncArguments {
  std::string name;
  bool follow = false;
  bool json = false;
};

// Each prints its results on stdout and its errors on stderr, and returns the exit code.
int remoteAdd(const RemoteAddArguments& arguments, const CommandLine& line);
int remoteList(const RemoteListArguments& arguments, const CommandLine& line);
int remoteRemove(const RemoteRemoveArguments& arguments, const CommandLine& line);
int remoteCheck(const RemoteCheckArguments& arguments, const CommandLine& line);
int remoteSync(const RemoteSyncArguments& arguments, const CommandLine& line);

void addRemotesCommands(ArgumentParser& parser);

}  // namespace slipstream::cli
