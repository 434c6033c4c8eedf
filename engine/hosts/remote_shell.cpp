// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/hosts/remote_shell.h"

#include <fmt/format.h>

#include "engine/base/files.h"
#include "engine/base/shell_line.h"
#include "engine/hosts/run_folder.h"

namespace slipstream {

std::vector<std::string> remoteShell() {
  if (const auto other = environment("SLIPSTREAM_SSH")) return {*other};
  return {"ssh",
          "-x",
          "-T",
          "-o",
          "BatchMode=yes",
          "-o",
          "ConnectTimeout=5",
          "-o",
          "ServerAliveInterval=3",
          "-o",
          "ServerAliveCountMax=3"};
}

std::vector<std::string> onHost(const std::string& host, const std::vector<std::string>& command) {
  std::vector<std::string> words = remoteShell();
  words.push_back(host);
  words.push_back(shellLine(command));
  return words;
}

std::string remoteShellScript(const std::string& runId) {
  return fmt::format("#!/bin/sh\nhost=$1\nshift\nexec {} \"$host\" \"env {}={} $*\"\n", shellLine(remoteShell()),
                     runVariable, runId);
}

}  // namespace slipstream
