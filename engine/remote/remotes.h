// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// A machine that runs are launched on and watched from here, by ssh.
struct Remote {
  std::string name;
  std::string host;                    ///< as ssh takes it: USER@HOST, or a name of ~/.ssh/config
  std::string store = {};              ///< folder there; empty: the one that slipstream takes there by itself
  std::string program = "slipstream";  ///< there; a name by the PATH of its shell
  bool slurm = false;                  ///< runs are submitted to Slurm

  bool operator==(const Remote&) const = default;
};

/// "slipstream remote add NAME HOST[:STORE] …": the command that names this remote, for people to repeat.
std::string addingLine(const Remote& remote);

/// HOST[:STORE] with a name; all failures at once.
Result<Remote> makeRemote(const std::string& name, const std::string& place);

/// $XDG_CONFIG_HOME/slipstream/remotes.json or ~/.config/slipstream/remotes.json, for the user alone.
std::filesystem::path remotesFile();
/// By name; none where there is no file.
Result<std::vector<Remote>> loadRemotes(const std::filesystem::path& file = remotesFile());
Status saveRemotes(const std::vector<Remote>& remotes, const std::filesystem::path& file = remotesFile());
/// Remembers a remote in the user's list. Fails where its name is another machine's, whose copies would be taken for
/// its own; the same machine may get another program.
Status addRemote(const Remote& remote);
Result<Remote> findRemote(const std::string& name);

}  // namespace slipstream
