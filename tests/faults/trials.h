// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace slipstream::test {

/// Seconds that a training may take on a busy machine.
inline constexpr double trainingSeconds = 300;

/// What every kind of trial is given. Trial N of a kind has the seed `seed` + N, so one trial with that seed repeats
/// it. Only the moment of a kill depends on more, the speed of the machine: a failure names it, and `moment` repeats
/// it.
struct TrialSettings {
  std::uint64_t seed = 1;
  double timeout = 10;           ///< seconds that a command which trains nothing may take
  std::optional<double> moment;  ///< seconds until each kill; without a value they are random
  std::filesystem::path folder;  ///< of its own, for everything that it makes
};

struct TrialFailure {
  std::string kind;
  std::uint64_t seed = 0;
  std::string what;
  std::optional<double> moment = {};  ///< seconds until the kill, where there was one
};

/// How a kind of trial went. What failed is printed as it happens, with the options that repeat it.
struct Tally {
  int tried = 0;
  std::vector<TrialFailure> failures = {};
  std::string skipped = {};                                  ///< why none was tried
  std::map<std::string, std::map<std::string, int>> counts;  ///< how often what was tried: "by_kind", "mpirun killed"
  std::map<std::string, double> namedAfter = {};             ///< seconds at most, by what was tried
  double seconds = 0;
  std::optional<double> moment = {};  ///< seconds until the kill in the current trial, where it has one
};

/// Random processes of random runs are killed; what was visible stays, nothing is left behind, and the resumed run has
/// the bits of one that was left alone. The moment of a kill counts from the start of the command line, from the click
/// in the window, or else from the begin of the run's first attempt.
void tryKills(Tally& tally, const TrialSettings& settings, int count);
/// One rank is stopped: the run fails within seconds and names it.
void tryHangs(Tally& tally, const TrialSettings& settings, int count);
/// Something happens to one of three hosts that are namespaces of this machine, or to what connects them: it is named
/// in time with its host and cause, and the run ends with the bits of one that was left alone. Needs root.
void tryHostEvents(Tally& tally, const TrialSettings& settings, int count);
/// The disk fills up at a random moment: no run is done without its weights.
void tryFullDisks(Tally& tally, const TrialSettings& settings, int count);
/// So many runs at once in one store.
void tryTogether(Tally& tally, const TrialSettings& settings, int count);
/// A store is damaged, or written by a stranger; every command that reads ends in time, in words.
void tryStores(Tally& tally, const TrialSettings& settings, int count);
/// The same for texts of experiments and rank tables, and for files of weights and data (so many of each kind).
void tryTexts(Tally& tally, const TrialSettings& settings, int count);
void tryFiles(Tally& tally, const TrialSettings& settings, int count);

/// `count` trials, each with a seed of its own; `tryOne` returns what went wrong, or nothing, and may throw.
void repeat(Tally& tally, const TrialSettings& settings, const std::string& kind, int count,
            const std::function<std::string(std::uint64_t seed)>& tryOne);
/// Adds a failure and prints one line about it.
void addFailure(Tally& tally, const TrialFailure& failure);

/// A training of a second: generated digits, a small network. `form` selects the algorithms: plain, sharded, stages or
/// adasum (of deltas).
nlohmann::json smallTraining(const std::string& form, int steps, int ranks = 2);

int below(std::mt19937_64& random, int end);

/// Keeps the longest time that it took until what happened was named.
void noteNamed(Tally& tally, const std::string& what, double seconds);

}  // namespace slipstream::test
