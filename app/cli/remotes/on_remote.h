// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/parser/command.h"

namespace slipstream::cli {

/// The command with the text of a file as its standard input, or with our own standard input; it has the file's name
/// there.
Result<RemoteTask> taskWithFile(std::vector<std::string> command, const std::string& file, bool fromInput);

/// Does the command on the remote that it names with --on: its output and exit code are those of there. A file that it
/// reads is sent along; paths in it are of there.
int doThere(const ChosenCommand& command);

/// Runs words of slipstream on a remote, with input.
int doThere(const std::string& remote, const std::vector<std::string>& words, const std::string& input = {});

}  // namespace slipstream::cli
