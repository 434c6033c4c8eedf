#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace slipstream {

/// Names one process for ever: a process id alone is reused, with start time, boot and host it is not.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t startTicks = 0;  ///< field 22 of /proc/PID/stat
  std::string bootId;           ///< /proc/sys/kernel/random/boot_id
  std::string host;
  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity thisProcess();

enum class Liveness { alive, gone, unknown };

/// `unknown` for a process of another host: only that host can tell.
Liveness livenessOf(const ProcessIdentity& process);

std::string hostName();

}  // namespace slipstream
