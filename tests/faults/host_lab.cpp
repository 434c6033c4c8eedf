// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/faults/host_lab.h"

#include <fstream>
#include <stdexcept>

#include <fmt/format.h>
#include <unistd.h>

#include "engine/base/files.h"
#include "engine/base/text.h"
#include "tests/faults/observed_run.h"

namespace slipstream::test {
namespace {

namespace fs = std::filesystem;

constexpr const char* script = SLIPSTREAM_SOURCE "/tests/hosts/lab";
constexpr double patience = 60;

ProgramResult callLab(const std::vector<std::string>& words) {
  std::vector<std::string> line{"/usr/bin/env", "LAB_SSHD=1", script};
  line.insert(line.end(), words.begin(), words.end());
  ProgramSettings settings;
  settings.through = std::move(line);
  settings.name.clear();
  return Program({}, fs::temp_directory_path(), settings).end(patience);
}

std::string networkOf(const std::string& process) {
  std::error_code gone;
  return fs::read_symlink(fs::path("/proc") / process / "ns/net", gone).string();
}

}  // namespace

std::string HostLab::missing() {
  const ProgramResult asked = callLab({"address", "/nowhere", "h1"});
  constexpr int nothingToTryWith = 77;
  return asked.exitCode == nothingToTryWith ? trim(asked.errors) : "";
}

HostLab::HostLab(fs::path folder) : folder_(std::move(folder)) {
  call({"up", folder_.string(), std::to_string(hosts), "none"});
}

HostLab::~HostLab() {
  callLab({"down", folder_.string()});
}

void HostLab::call(const std::vector<std::string>& words) const {
  const ProgramResult done = callLab(words);
  if (done.exitCode != 0) throw std::runtime_error(fmt::format("lab {}: {}", words.front(), done.errors));
}

std::string HostLab::address(int host) const {
  return fmt::format("{}.{}", trim(readFile(folder_ / "subnet").value_or("")), host + 1);
}

std::string HostLab::init(int host) const {
  return trim(readFile(folder_ / name(host) / "init").value_or(""));
}

ProgramSettings HostLab::onHead() const {
  ProgramSettings settings;
  settings.through = {script, "in", folder_.string(), name(0)};
  settings.environment = {{"SLIPSTREAM_SSH", (folder_ / "ssh").string()}};
  return settings;
}

std::vector<pid_t> HostLab::processesOf(int host) const {
  const std::string own = init(host), network = networkOf(own);
  std::vector<pid_t> processes;
  if (network.empty()) return processes;
  std::error_code gone;
  for (const auto& entry : fs::directory_iterator("/proc", gone)) {
    const std::string process = entry.path().filename().string();
    const auto number = parseInteger(process);
    if (!number || process == own || networkOf(process) != network) continue;
    processes.push_back(static_cast<pid_t>(*number));
  }
  return processes;
}

std::vector<std::string> HostLab::foldersOf(int host) const {
  std::vector<std::string> folders;
  for (const char* place : {"tmp", "dev/shm"}) {
    std::error_code gone;
    for (const auto& entry : fs::directory_iterator(fs::path("/proc") / init(host) / "root" / place, gone)) {
      const std::string found = entry.path().filename().string();
      if (entry.is_directory(gone) && startsWith(found, "slipstream-")) folders.push_back(found);
    }
  }
  return folders;
}

}  // namespace slipstream::test
