// SPDX-License-Identifier: GPL-3.0-or-later
// Trials of what may go wrong around training: fault_trials --kills 500 --seed 1. Exit code 1 where any failed.
#include <cstdio>
#include <exception>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <unistd.h>

#include "tests/faults/trials.h"

namespace {

using namespace slipstream::test;

struct Kind {
  const char* option;
  const char* what;
  Tally (*trial)(const TrialSettings&, int);
  int count = 0;
};

int tryAll(const TrialSettings& settings, const std::vector<Kind>& kinds) {
  int failed = 0;
  for (const Kind& kind : kinds) {
    if (kind.count == 0) continue;
    const Tally tally = kind.trial(settings, kind.count);
    std::printf("%s: %d tried, %d failed%s%s\n", kind.option + 2, tally.tried, tally.failed,
                tally.skipped.empty() ? "" : ", not done: ", tally.skipped.c_str());
    std::fflush(stdout);
    failed += tally.failed;
  }
  return failed == 0 ? 0 : 1;
}

}  // namespace

int main(int count, char** values) {
  TrialSettings settings;
  std::vector<Kind> kinds{{"--kills", "Random processes of random runs are killed", tryKills},
                          {"--hangs", "One rank of a run is stopped", tryHangs},
                          {"--disks", "The disk fills up at a random moment", tryFullDisks},
                          {"--together", "So many runs at once in one store", tryTogether},
                          {"--stores", "Stores are damaged or written by a stranger", tryStores},
                          {"--texts", "Experiments and rank tables are damaged", tryTexts},
                          {"--files", "Files of weights and data are damaged, so many of each kind", tryFiles}};
  CLI::App app("Trials of slipstream against kills, full disks, strangers and damage; none unless asked for");
  for (Kind& kind : kinds) app.add_option(kind.option, kind.count, kind.what)->check(CLI::NonNegativeNumber);
  app.add_option("--seed", settings.seed, "The same seed makes the same trials");
  app.add_option("--patience", settings.patience, "Seconds that a command which trains nothing may take");
  CLI11_PARSE(app, count, values);
  try {
    std::string folder = (std::filesystem::temp_directory_path() / "slipstream-faults-XXXXXX").string();
    if (::mkdtemp(folder.data()) == nullptr) throw std::runtime_error("no temporary folder");
    settings.folder = folder;
    const int code = tryAll(settings, kinds);
    std::filesystem::remove_all(settings.folder);
    return code;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "fault_trials: %s\n", error.what());
    return 1;
  }
}
