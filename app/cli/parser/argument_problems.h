// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <CLI/CLI.hpp>

#include "engine/base/failure.h"

namespace slipstream::cli {

/// The first word where a command is due that names none, with the command that was meant. Options before it are passed
/// over with their values.
std::optional<Failures> unknownCommand(const CLI::App& app, const std::vector<std::string>& words);

/// What CLI11 found wrong. It names the option that does not exist, or that is given twice.
Failures argumentProblem(const CLI::App& app, const CLI::Error& error);

/// Whether the option takes one value, or is a flag; lists take what comes.
bool isSingle(const CLI::Option* option);

}  // namespace slipstream::cli
