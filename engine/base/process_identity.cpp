#include "engine/base/process_identity.h"

#include <array>
#include <fstream>
#include <sstream>

#include <unistd.h>

#include "engine/base/text.h"

namespace slipstream {
namespace {

std::string bootId() {
  std::ifstream file("/proc/sys/kernel/random/boot_id");
  std::string id;
  std::getline(file, id);
  return id;
}

/// Start time and state letter of a living process; nothing where it is gone or a zombie.
std::optional<std::int64_t> startTicksOf(std::int64_t pid) {
  std::ifstream file("/proc/" + std::to_string(pid) + "/stat");
  std::string line;
  if (!std::getline(file, line)) return std::nullopt;
  // The command's name may hold blanks and brackets: fields are counted from behind the last bracket.
  const auto bracket = line.rfind(')');
  if (bracket == std::string::npos) return std::nullopt;
  const auto fields = split(trim(line.substr(bracket + 1)), ' ');
  constexpr std::size_t startTimeField = 19;
  if (fields.size() <= startTimeField || fields[0] == "Z" || fields[0] == "X") return std::nullopt;
  return parseInteger(fields[startTimeField]);
}

}  // namespace

std::string hostName() {
  std::array<char, 256> name{};
  ::gethostname(name.data(), name.size() - 1);
  return name.data();
}

ProcessIdentity thisProcess() {
  return {::getpid(), startTicksOf(::getpid()).value_or(0), bootId(), hostName()};
}

Liveness livenessOf(const ProcessIdentity& process) {
  if (process.host != hostName()) return Liveness::unknown;
  if (process.bootId != bootId()) return Liveness::gone;
  return startTicksOf(process.pid) == process.startTicks ? Liveness::alive : Liveness::gone;
}

}  // namespace slipstream
