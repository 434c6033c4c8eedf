// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <string>
#include <vector>

#include "engine/base/failure.h"

namespace slipstream {

/// How long one of Slurm's programs may take, if nothing else is said.
inline constexpr std::chrono::seconds slurmAnswersWithin{15};

/// What came of asking one of Slurm's programs for something.
struct SlurmAnswer {
  Result<std::string> said;  ///< what it prints; a failure has its own words, without its name before them
  /// False: it failed, or was given up, so that nobody can tell whether Slurm has done what it was asked for.
  bool isCertain = true;
};

/// Runs one of Slurm's programs; `input` becomes its standard input. No shell reads the words. Fails where the program
/// is missing, ends with an error or does not end in time, and is killed then.
SlurmAnswer askSlurm(const std::vector<std::string>& words, const std::string& input = "",
                     std::chrono::seconds limit = slurmAnswersWithin);

/// The same where it does not matter what became of a question without an answer.
Result<std::string> slurmSays(const std::vector<std::string>& words);

}  // namespace slipstream
