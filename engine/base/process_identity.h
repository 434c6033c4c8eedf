// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace slipstream {

/// Names one process for ever: a process id alone is reused, with start time, boot and host it is not.
struct ProcessIdentity {
  std::int64_t pid = 0;
  std::int64_t startTicks = 0;  ///< field 22 of /proc/PID/stat
  std::string bootId;           ///< /proc/sys/kernel/random/boot_id and, behind a blank, the inode of the PID namespace
  std::string host;
  bool operator==(const ProcessIdentity&) const = default;
};

ProcessIdentity thisProcess();

enum class Liveness { alive, gone, unknown };

/// `unknown` for a process of another host or PID namespace (a container): only there anybody can tell.
Liveness livenessOf(const ProcessIdentity& process);

std::string hostName();

}  // namespace slipstream
