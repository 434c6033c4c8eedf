// SPDX-License-Identifier: GPL-3.0-or-later
// Trials of what may go wrong around training: fault_trials --kills 500 --seed 1. The last line is the report as JSON
// with the command that repeats each failure; for a kill it needs --moment too. Exit code 1 where any failed.
#include <algorithm>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <unistd.h>

#include "tests/faults/trials.h"

namespace {

using namespace slipstream::test;

struct Kind {
  const char* option;
  const char* what;
  void (*trial)(Tally&, const TrialSettings&, int);
  int count = 0;

  std::string name() const { return option + 2; }
};

/// The command that repeats a failed trial.
std::string repeatOf(const Kind& kind, const TrialFailure& failure, double timeout) {
  const int count = kind.trial == tryTogether ? kind.count : 1;
  const std::string moment = failure.moment ? fmt::format(" --moment {}", *failure.moment) : "";
  return fmt::format("fault_trials {} {} --seed {} --timeout {}{}", kind.option, count, failure.seed, timeout, moment);
}

nlohmann::ordered_json failuresOf(const Kind& kind, const Tally& tally, double timeout) {
  nlohmann::ordered_json failures = nlohmann::ordered_json::array();
  for (const TrialFailure& failure : tally.failures) {
    nlohmann::ordered_json entry{{"kind", failure.kind}, {"seed", failure.seed}, {"what", failure.what}};
    if (failure.moment) entry["moment"] = *failure.moment;
    entry["repeat"] = repeatOf(kind, failure, timeout);
    failures.push_back(std::move(entry));
  }
  return failures;
}

nlohmann::ordered_json reportOf(const Kind& kind, const Tally& tally, double timeout) {
  nlohmann::ordered_json report{{"tried", tally.tried}, {"failed", tally.failures.size()}};
  if (!tally.skipped.empty()) report["skipped"] = tally.skipped;
  report["seconds"] = tally.seconds;
  for (const auto& [name, counts] : tally.counts) report[name] = counts;
  if (!tally.namedAfter.empty()) report["named_after_seconds"] = tally.namedAfter;
  report["failures"] = failuresOf(kind, tally, timeout);
  return report;
}

/// What was tried, how often, and after how many seconds it was named at the latest.
void printTable(const Tally& tally) {
  const auto counts = tally.counts.find("by_kind");
  if (counts == tally.counts.end()) return;
  for (const auto& [kind, count] : counts->second) {
    const auto named = tally.namedAfter.find(kind);
    const std::string seconds = named == tally.namedAfter.end() ? "–" : fmt::format("{:.1f} s", named->second);
    std::printf("  %-20s %4d  %8s\n", kind.c_str(), count, seconds.c_str());
  }
}

/// Also where a kind cannot go on, its results and the other kinds are reported.
Tally tryKind(const TrialSettings& settings, const Kind& kind) {
  Tally tally;
  try {
    kind.trial(tally, settings, kind.count);
  } catch (const std::exception& error) {
    addFailure(tally, {kind.name(), settings.seed, error.what()});
  }
  return tally;
}

/// The exit code: 77 where nothing of what was asked for can be tried on this machine.
int tryAll(const TrialSettings& settings, const std::vector<Kind>& kinds) {
  bool allPassed = true;
  nlohmann::ordered_json report{{"seed", settings.seed}};
  bool anyTried = std::ranges::all_of(kinds, [](const Kind& kind) { return kind.count == 0; });
  for (const Kind& kind : kinds) {
    if (kind.count == 0) continue;
    const Tally tally = tryKind(settings, kind);
    std::printf("%s: %d tried, %zu failed, %.0f s%s%s\n", kind.name().c_str(), tally.tried, tally.failures.size(),
                tally.seconds, tally.skipped.empty() ? "" : ", not done: ", tally.skipped.c_str());
    printTable(tally);
    std::fflush(stdout);
    report[kind.name()] = reportOf(kind, tally, settings.timeout);
    allPassed = allPassed && tally.failures.empty();
    anyTried = anyTried || tally.tried > 0 || tally.skipped.empty();
  }
  // Damaged bytes may be part of what a failure says.
  std::printf("%s\n", report.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace).c_str());
  constexpr int skipped = 77;
  if (!allPassed) return 1;
  return anyTried ? 0 : skipped;
}

/// A folder that is removed with this object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string folder = (std::filesystem::temp_directory_path() / "slipstream-faults-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    path_ = folder;
  }
  ~TemporaryFolder() {
    std::error_code error;
    std::filesystem::remove_all(path_, error);
    if (error) std::fprintf(stderr, "fault_trials: %s cannot be removed\n", path_.c_str());
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

}  // namespace

int main(int count, char** values) {
  TrialSettings settings;
  std::vector<Kind> kinds{
      {"--kills", "Random processes of random runs are killed", tryKills},
      {"--hangs", "One rank of a run is stopped", tryHangs},
      {"--hosts", "Events between three hosts, which are namespaces of this machine (root)", tryHostEvents},
      {"--disks", "The disk fills up at a random moment", tryFullDisks},
      {"--together", "So many runs at once in one store", tryTogether},
      {"--stores", "Stores are damaged or written by a stranger", tryStores},
      {"--texts", "Experiments and rank tables are damaged", tryTexts},
      {"--files", "Files of weights and data are damaged, so many of each kind", tryFiles}};
  CLI::App app("Trials of slipstream against kills, full disks, strangers and damage; none unless asked for");
  for (Kind& kind : kinds) app.add_option(kind.option, kind.count, kind.what)->check(CLI::NonNegativeNumber);
  app.add_option("--seed", settings.seed, "Seed of the first trial of each kind; the next has the next number");
  app.add_option("--timeout", settings.timeout, "Seconds that a command which trains nothing may take");
  app.add_option("--moment", settings.moment, "Seconds until each kill, as the failed one to be repeated names them")
      ->check(CLI::NonNegativeNumber);
  CLI11_PARSE(app, count, values);
  try {
    const TemporaryFolder folder;
    settings.folder = folder.path();
    return tryAll(settings, kinds);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fault_trials: %s\n", error.what());
    return 1;
  }
}
