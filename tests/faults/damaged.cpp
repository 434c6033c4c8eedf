// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/damaged.h"

#include <stdexcept>

#include <fmt/format.h>

#include "engine/base/files.h"
#include "tests/faults/damaged_json.h"
#include "tests/faults/program.h"
#include "tests/support/mutator.h"

namespace slipstream::test {
namespace {

/// Every other file is damaged at its beginning alone, where sizes and kinds stand, or as a text that still is JSON.
std::string damaged(const DamagedKind& kind, std::uint64_t seed) {
  if (seed % 2 == 0) return Mutator(kind.sound, seed).next();
  constexpr std::size_t headBytes = 160;
  std::mt19937_64 random(seed);
  const std::string& chosen = kind.sound[random() % kind.sound.size()];
  if (kind.isJson) return damagedJson(chosen, random);
  const std::string head = chosen.substr(0, headBytes);
  return Mutator({head}, seed).next() + chosen.substr(head.size());
}

std::string outcomeOf(const ProgramResult& ended) {
  if (!ended.inTime) return "does not end in time";
  if (ended.exitCode != 0 && ended.exitCode != 2) return fmt::format("exit {}: {}", ended.exitCode, ended.errors);
  if (ended.exitCode == 2 && (ended.errors + ended.output).empty()) return "exit 2 without a word";
  return "";
}

/// Empty where the command accepts the undamaged file, or there are several.
std::string refusalOfSoundFile(const TrialSettings& settings, const DamagedKind& kind) {
  if (kind.sound.size() != 1) return "";
  putFile(kind.file, kind.sound.front());
  const ProgramResult ended = runProgram(kind.command, settings.folder, trainingSeconds);
  return ended.exitCode == 0 ? "" : "the undamaged file is refused: " + ended.errors;
}

}  // namespace

void putFile(const std::filesystem::path& file, const std::string& bytes) {
  const bool made = makeFolder(file.parent_path()).has_value();
  if (!made || !writeFile(file, bytes)) throw std::runtime_error(file.string() + " cannot be written");
}

void tryDamaged(Tally& tally, const TrialSettings& settings, const DamagedKind& kind, int count) {
  // Trials with a file that is refused anyway would prove nothing; the other kinds are tried nevertheless.
  if (const std::string refusal = refusalOfSoundFile(settings, kind); !refusal.empty()) {
    addFailure(tally, {kind.name, settings.seed, refusal});
    return;
  }
  repeat(tally, settings, kind.name, count, [&](std::uint64_t seed) -> std::string {
    ++tally.counts["by_kind"][kind.name];
    const std::string bytes = damaged(kind, seed);
    putFile(kind.file, bytes);
    const ProgramResult ended = runProgram(kind.command, settings.folder, settings.timeout);
    ++tally.counts["by_exit_code"][std::to_string(ended.exitCode)];
    const std::string outcome = outcomeOf(ended);
    if (outcome.empty()) return "";
    const auto kept = std::filesystem::temp_directory_path() / fmt::format("slipstream-trial-{}-{}", kind.name, seed);
    putFile(kept, bytes);
    return outcome + " (kept as " + kept.string() + ")";
  });
}

}  // namespace slipstream::test
