// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace slipstream {

struct ProgramAnswer {
  int exitCode = 0;    ///< 128 and the signal's number where one ended it
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
};

/// Starts a program without a shell, waits for its end and returns what it said. words[0] is looked up in PATH. Its
/// stdin is `input`, or the file where one is named. Throws Error where it cannot be started.
ProgramAnswer askProgram(const std::vector<std::string>& words, const std::string& input = "",
                         const std::filesystem::path& inputFile = {});

}  // namespace slipstream
