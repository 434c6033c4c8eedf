// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace slipstream::cli {

/// What bash, zsh or fish reads to complete the program's commands and options, made from their own description.
std::string completionScript(const CLI::App& app, const std::string& shell);

}  // namespace slipstream::cli
