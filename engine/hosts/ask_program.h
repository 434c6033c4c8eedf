// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace slipstream {

struct AskedProgram {
  std::vector<std::string> words;                  ///< words[0] is looked up in PATH; no shell reads them
  std::string input = {};                          ///< its stdin
  std::filesystem::path inputFile = {};            ///< in place of `input`, where one is named
  std::optional<std::chrono::seconds> limit = {};  ///< after which it is killed
  /// After so long without a byte that it has read or written it is killed.
  std::optional<std::chrono::seconds> silence = {};
  bool keepsOn = false;  ///< SIGTERM does not end it, as schedulers send it to every process of a job
};

struct ProgramAnswer {
  int exitCode = 0;    ///< 128 and the signal's number where one ended it
  std::string output;  ///< stdout
  std::string errors;  ///< stderr
  bool inTime = true;  ///< false: it was killed at a limit
};

/// Starts a program, waits for its end and returns what it said. Throws Error where it cannot be started.
ProgramAnswer askProgram(const AskedProgram& asked);

/// The same of a program that writes to our own stdout and stderr; returns its exit code. What it says is not counted
/// for `silence`.
int passProgram(const AskedProgram& asked);

/// "does not answer within 15 s", "has been silent for 60 s": of a program that was killed at a limit.
std::string lateText(const AskedProgram& asked);

}  // namespace slipstream
