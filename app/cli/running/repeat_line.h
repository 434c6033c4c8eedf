// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "app/cli/running/commands.h"

namespace slipstream::cli {

/// The line that makes the same run again, from any folder: the program, the files and the store by their whole paths,
/// and the variables of the environment that a plan heeds. Quoted for a shell.
std::string repeatLine(const RunArguments& arguments, const std::string& storeFolder);

}  // namespace slipstream::cli
