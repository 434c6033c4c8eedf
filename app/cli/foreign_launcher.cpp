// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/foreign_launcher.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/output.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/plan/run_plan.h"

namespace slipstream::cli {
namespace {

/// The variables in which a launcher tells a rank who it is.
struct LauncherVariables {
  const char* name;
  const char* rank;
  const char* size;
  int leastSize;  ///< of fewer ranks it is no launch of a parallel program
};

constexpr const char* openMpiRank = "OMPI_COMM_WORLD_RANK";
constexpr std::array<LauncherVariables, 3> launchers{{
    {"mpirun", openMpiRank, "OMPI_COMM_WORLD_SIZE", 1},
    {"mpiexec", "PMI_RANK", "PMI_SIZE", 2},
    {"srun", "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", 2},
}};

/// The names under which Open MPI's launchers and their daemons run.
constexpr std::array<const char*, 7> openMpiPrograms{"mpirun",  "mpiexec", "orterun", "orted",
                                                     "prterun", "prted",   "prte"};

/// The line of /proc/PID/`file` that begins with `prefix`, without it; empty where the process has gone.
std::string processLine(std::int64_t process, const char* file, const std::string& prefix) {
  std::ifstream lines(fmt::format("/proc/{}/{}", process, file));
  for (std::string line; std::getline(lines, line);) {
    if (startsWith(line, prefix)) return trim(line.substr(prefix.size()));
  }
  return "";
}

/// 0 where the process has gone, or its parent is outside this PID namespace.
std::int64_t parentOf(std::int64_t process) {
  return parseInteger(processLine(process, "status", "PPid:")).value_or(0);
}

bool isBelowOpenMpi() {
  for (std::int64_t process = parentOf(::getpid()); process > 0; process = parentOf(process)) {
    const std::string name = processLine(process, "comm", "");
    if (std::find(openMpiPrograms.begin(), openMpiPrograms.end(), name) != openMpiPrograms.end()) return true;
  }
  return false;
}

std::optional<int> numberIn(const char* variable) {
  const auto number = parseInteger(environment(variable).value_or(""));
  return number && *number >= 0 ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

bool choosesRanks(const std::string& word) {
  return startsWith(word, "--ranks") || startsWith(word, "--rank-table");
}

std::string remedyFor(const ForeignLauncher& launcher, std::vector<std::string> words) {
  const bool runs = !words.empty() && std::find(words.begin(), words.end(), "run") != words.end();
  const bool chosen = std::any_of(words.begin(), words.end(), choosesRanks);
  words.insert(words.begin(), "slipstream");
  if (runs && !chosen) words.insert(words.end(), {"--ranks", std::to_string(launcher.size)});
  return "type: " + shellLine(words);
}

}  // namespace

std::optional<ForeignLauncher> foreignLauncher() {
  for (const LauncherVariables& one : launchers) {
    const auto rank = numberIn(one.rank);
    const auto size = numberIn(one.size);
    if (!rank || !size || *size < one.leastSize) continue;
    const bool slurm = environment("SLURM_STEP_NUM_TASKS").has_value() && !environment("OMPI_COMM_WORLD_SIZE");
    const bool openMpi = one.rank == std::string_view(openMpiRank);
    return ForeignLauncher{slurm ? "srun" : one.name, *rank, *size, openMpi && !isBelowOpenMpi()};
  }
  return std::nullopt;
}

int refuseLauncher(const ForeignLauncher& launcher, const std::vector<std::string>& words) {
  if (launcher.isGone) {
    return report({{openMpiRank, std::to_string(launcher.rank),
                    fmt::format("is set, as {} sets it for each rank, but no {} has started this program: it was left "
                                "in the environment",
                                launcher.name, launcher.name),
                    "open another terminal, or take these variables away; in bash: unset ${!OMPI_*} ${!PMIX_*}"}});
  }
  if (launcher.rank != 0) {
    // Open MPI kills all ranks when the first one fails: the one that speaks must have had its say.
    std::this_thread::sleep_for(std::chrono::seconds{2});
    return ExitCode::invalidInput;
  }
  return report({{launcher.name, "",
                  fmt::format("started this program {}, but slipstream starts the ranks of a run itself",
                              launcher.size == 1 ? "once" : fmt::format("{} times", launcher.size)),
                  remedyFor(launcher, words)}});
}

}  // namespace slipstream::cli
