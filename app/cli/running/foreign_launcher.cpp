// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/running/foreign_launcher.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <thread>

#include <fmt/format.h>
#include <unistd.h>

#include "app/cli/streams/output.h"
#include "engine/base/files.h"
#include "engine/base/shell_line.h"
#include "engine/base/text.h"
#include "engine/plan/run_plan.h"
#include "engine/scheduler/scheduler.h"

namespace slipstream::cli {
namespace {

constexpr RankLauncher openMpi{"mpirun", "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"};
constexpr RankLauncher mpich{"mpiexec", "PMI_RANK", "PMI_SIZE"};

/// The names under which Open MPI's launchers and their daemons run; Debian adds ".openmpi".
constexpr std::array<std::string_view, 8> openMpiPrograms{"mpirun", "mpiexec", "orterun", "oshrun",
                                                          "orted",  "prterun", "prted",   "prte"};

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

bool isOpenMpi(std::string_view name) {
  const std::string_view stem = name.substr(0, name.find('.'));
  return std::find(openMpiPrograms.begin(), openMpiPrograms.end(), stem) != openMpiPrograms.end();
}

/// By its own name or by that of its file, which a link or a script of another name may have started.
bool isOpenMpi(std::int64_t process) {
  std::error_code unreadable;
  const auto program = std::filesystem::read_symlink(fmt::format("/proc/{}/exe", process), unreadable);
  return isOpenMpi(processLine(process, "comm", "")) || isOpenMpi(program.filename().string());
}

/// The variables alone say little: a shell or a script that was opened in a rank keeps them.
bool isBelowOpenMpi() {
  for (std::int64_t process = parentOf(::getpid()); process > 0; process = parentOf(process)) {
    if (isOpenMpi(process)) return true;
  }
  return false;
}

std::optional<int> numberIn(const char* variable) {
  const auto number = parseInteger(environment(variable).value_or(""));
  return number && *number >= 0 ? std::optional<int>(static_cast<int>(*number)) : std::nullopt;
}

/// Nothing where it speaks of fewer than `leastSize` ranks, which is no launch of a parallel program.
std::optional<ForeignLauncher> startedBy(const RankLauncher& launcher, int leastSize) {
  const auto rank = numberIn(launcher.rank);
  const auto size = numberIn(launcher.size);
  if (!rank || !size || *size < leastSize) return std::nullopt;
  return ForeignLauncher{launcher.program, *rank, *size};
}

/// The scheduler's own launcher, which may speak as MPICH's does too.
std::optional<ForeignLauncher> startedByScheduler() {
  for (const Scheduler& scheduler : schedulers()) {
    if (!scheduler.rankLauncher) continue;
    if (auto started = startedBy(*scheduler.rankLauncher, 2)) return started;
  }
  return std::nullopt;
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
  if (auto started = startedBy(openMpi, 1); started && isBelowOpenMpi()) return started;
  if (auto started = startedByScheduler()) return started;
  return startedBy(mpich, 2);
}

int refuseLauncher(const ForeignLauncher& launcher, const std::vector<std::string>& words) {
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
