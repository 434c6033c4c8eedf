// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "tests/faults/trials.h"

namespace slipstream::test {

/// Writes a file, and the folder that it is in. Throws where it cannot.
void putFile(const std::filesystem::path& file, const std::string& bytes);

/// A kind of file that a command reads.
struct DamagedKind {
  std::string name;
  std::vector<std::string> sound;  ///< contents that the command takes as they are
  std::filesystem::path file;      ///< where the damaged one is put
  std::vector<std::string> command;
  bool isJson = false;
};

/// Gives `count` damaged files to the command: each ends in time with exit code 0 or 2. Where there is one sound file
/// and it is refused, that is the only failure. A file that fails is kept in the folder for temporary files and named.
void tryDamaged(Tally& tally, const TrialSettings& settings, const DamagedKind& kind, int count);

}  // namespace slipstream::test
