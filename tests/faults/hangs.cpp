// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <thread>

#include <fmt/format.h>

#include "engine/base/clock.h"
#include "engine/base/files.h"
#include "engine/hosts/run_folder.h"
#include "tests/faults/observed_run.h"
#include "tests/faults/program.h"
#include "tests/faults/trials.h"

namespace slipstream::test {
namespace {

/// Empty, or what went wrong.
std::string hangOne(Tally& tally, const TrialSettings& settings, const std::filesystem::path& folder) {
  const auto file = settings.folder / "hang.json";
  if (!writeFile(file, smallTraining("plain", 1'000'000).dump(2))) return "no room for an experiment";
  Program program({"run", file.string(), "--quiet", "--store", folder.string()}, settings.folder);
  for (const Stopwatch watch; watch.seconds() < trainingSeconds && !program.hasEnded();) {
    std::this_thread::sleep_for(std::chrono::milliseconds{20});
    const auto store = storeIn(folder);
    if (!store || store->heads().empty()) continue;
    const std::string run = store->heads().back().id;
    if (visibleLosses(*store, run).empty()) continue;
    for (const pid_t process : processesOfRun(run)) {
      if (!nameOfProcess(process).starts_with("slipstream-work")) continue;
      ::kill(process, SIGSTOP);
      const Stopwatch stopped;
      ++tally.counts["by_kind"]["worker stopped"];
      const auto ended = program.end(settings.timeout);
      if (!ended.inTime) return "the run does not end although a rank is stopped";
      const std::string why = store->find(run)->why;
      if (why.find("silent") == std::string::npos) return "the cause is not named: " + why;
      noteNamed(tally, "worker stopped", stopped.seconds());
      return processesOfRun(run).empty() ? "" : "processes are left";
    }
  }
  return "no rank came up";
}

}  // namespace

void tryHangs(Tally& tally, const TrialSettings& settings, int count) {
  repeat(tally, settings, "hang", count, [&](std::uint64_t seed) {
    const auto folder = settings.folder / fmt::format("hang-{}", seed);
    const std::string problem = hangOne(tally, settings, folder);
    std::filesystem::remove_all(folder);
    return problem;
  });
  removeAbandonedFolders();
}

}  // namespace slipstream::test
