// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/arguments.h"

namespace slipstream::cli {

/// Does the command on the remote that it names with --on: its output and exit code are those of there. A file that it
/// reads is sent along; paths in it are of there.
int doThere(const CommandLine& line);

/// Runs words of slipstream on a remote, with input.
int doThere(const std::string& remote, const std::vector<std::string>& words, const std::string& input = {});

}  // namespace slipstream::cli
