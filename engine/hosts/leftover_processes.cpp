// SPDX-License-Identifier: GPL-3.0-or-later
#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <thread>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/base/clock.h"
#include "engine/base/error.h"
#include "engine/base/files.h"
#include "engine/base/text.h"
#include "engine/hosts/run_folder.h"

namespace slipstream {
namespace {

constexpr double sweepSeconds = 5;

/// Entries of /proc/PID/environ end with a zero byte; a zombie's file is empty.
bool carries(const std::filesystem::path& process, const std::string& entry) {
  std::ifstream file(process / "environ", std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  const auto found = text.find(entry);
  return found != std::string::npos && (found == 0 || text[found - 1] == '\0');
}

/// Those that carry NAME=VALUE in their environment; not ourselves.
std::vector<pid_t> processesWith(const std::string& name, const std::string& value) {
  using namespace std::string_literals;
  const std::string entry = fmt::format("{}={}", name, value) + "\0"s;
  std::vector<pid_t> processes;
  std::error_code gone;
  for (const auto& folder : std::filesystem::directory_iterator("/proc", gone)) {
    const auto pid = parseInteger(folder.path().filename().string());
    if (!pid || *pid == ::getpid() || !carries(folder.path(), entry)) continue;
    processes.push_back(static_cast<pid_t>(*pid));
  }
  return processes;
}

}  // namespace

int killProcessesWith(const std::string& name, const std::string& value) {
  std::set<pid_t> seen;
  const Stopwatch watch;
  while (true) {
    const auto processes = processesWith(name, value);
    for (const pid_t process : processes) ::kill(process, SIGKILL);
    seen.insert(processes.begin(), processes.end());
    for (const pid_t process : seen) ::waitpid(process, nullptr, WNOHANG);
    if (processes.empty()) return static_cast<int>(seen.size());
    if (watch.seconds() > sweepSeconds) {
      throw Error(fmt::format("process {} of {}={} cannot be killed", processes.front(), name, value));
    }
    std::this_thread::sleep_for(std::chrono::milliseconds{2});
  }
}

std::vector<pid_t> processesOfRun(const std::string& runId) {
  return processesWith(runVariable, runId);
}

int killLeftoverProcesses(const std::string& runId) {
  return killProcessesWith(runVariable, runId);
}

void killEarlierSessions() {
  if (const auto own = environment(sessionVariable)) killProcessesWith(sessionVariable, *own);
}

void adoptOrphans() {
  ::prctl(PR_SET_CHILD_SUBREAPER, 1);
}

}  // namespace slipstream
