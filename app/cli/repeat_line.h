// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "app/cli/arguments.h"

namespace slipstream::cli {

/// The flags as words of a command line.
std::vector<std::string> wordsOf(const Overrides& overrides);

/// The line that makes the same run again, from any folder: the program, the files and the store by their whole paths,
/// and the variables of the environment that a plan heeds. Quoted for a shell.
std::string repeatLine(const RunArguments& arguments, const std::string& storeFolder);

}  // namespace slipstream::cli
