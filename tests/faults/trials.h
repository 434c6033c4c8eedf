// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>

#include <nlohmann/json.hpp>

namespace slipstream::test {

/// Seconds that a training may take on a busy machine.
inline constexpr double trainingSeconds = 300;

/// What every kind of trial is given.
struct TrialSettings {
  std::uint64_t seed = 1;
  double patience = 10;          ///< seconds that a command which trains nothing may take
  std::filesystem::path folder;  ///< of its own, for everything that it makes
};

/// How a kind of trial went. What failed is printed as it happens, with what repeats it.
struct Tally {
  int tried = 0;
  int failed = 0;
  std::string skipped;  ///< why none was tried
};

/// Random processes of random runs are killed; what was visible stays, nothing is left behind, and the resumed run has
/// the bits of one that was left alone.
Tally tryKills(const TrialSettings& settings, int count);
/// One rank is stopped: the run fails within seconds and names it.
Tally tryHangs(const TrialSettings& settings, int count);
/// The disk fills up at a random moment: no run is done without its weights.
Tally tryFullDisks(const TrialSettings& settings, int count);
/// So many runs at once in one store.
Tally tryTogether(const TrialSettings& settings, int count);
/// A store is damaged, or written by a stranger; every command that reads ends in time, in words.
Tally tryStores(const TrialSettings& settings, int count);
/// The same for texts of experiments and rank tables, and for files of weights and data.
Tally tryTexts(const TrialSettings& settings, int count);
Tally tryFiles(const TrialSettings& settings, int count);

/// Prints one line about a trial that failed.
void tellFailure(const std::string& kind, int trial, const std::string& what);

/// A training of a second: generated digits, a small network; `kind` selects ranks and algorithms.
nlohmann::json smallTraining(const std::string& kind, int steps);

int below(std::mt19937_64& random, int end);

}  // namespace slipstream::test
