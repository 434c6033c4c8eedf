// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/process_identity.h"

#include <array>
#include <fstream>
#include <vector>

#include <sys/stat.h>
#include <unistd.h>

#include "engine/base/process_state.h"
#include "engine/base/text.h"

namespace slipstream {
namespace {

std::string bootId() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

/// The boot and, behind a blank, the PID namespace: the ids of two containers on one machine say nothing of each other.
std::string ownPlace() {
  struct stat status {};
  const bool known = ::stat("/proc/self/ns/pid", &status) == 0;
  return bootId() + " " + std::to_string(known ? status.st_ino : 0);
}

/// What follows the command's name in /proc/PID/stat, from the state letter on; empty where there is no such
/// process.
std::vector<std::string> statFieldsOf(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return {};
  // The command's name may hold blanks and brackets: fields are counted from behind the last bracket.
  const auto bracket = line.rfind(')');
  if (bracket == std::string::npos) return {};
  return split(trim(line.substr(bracket + 1)), ' ');
}

/// Start time of a living process; nothing where it is gone or a zombie.
std::optional<std::int64_t> startTicksOf(std::int64_t pid) {
  const auto fields = statFieldsOf(pid);
  constexpr std::size_t startTimeField = 19;
  if (fields.size() <= startTimeField || fields[0] == "Z" || fields[0] == "X") return std::nullopt;
  return parseInteger(fields[startTimeField]);
}

}  // namespace

ProcessState processState(std::int64_t pid) {
  if (pid <= 0) return ProcessState::gone;
  const auto fields = statFieldsOf(pid);
  if (fields.empty() || fields[0] == "Z" || fields[0] == "X") return ProcessState::gone;
  return fields[0] == "T" || fields[0] == "t" ? ProcessState::stopped : ProcessState::running;
}

std::string hostName() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

ProcessIdentity thisProcess() {
  return {::getpid(), startTicksOf(::getpid()).value_or(0), ownPlace(), hostName()};
}

Liveness livenessOf(const ProcessIdentity& process) {
  if (process.host != hostName()) return Liveness::unknown;
  if (process.bootId.substr(0, process.bootId.find(' ')) != bootId()) return Liveness::gone;
  if (process.bootId != ownPlace()) return Liveness::unknown;
  return startTicksOf(process.pid) == process.startTicks ? Liveness::alive : Liveness::gone;
}

}  // namespace slipstream
