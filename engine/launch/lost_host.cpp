// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/launch/lost_host.h"

#include <algorithm>

#include <fmt/format.h>

namespace slipstream {
namespace {

/// Longer than an attempt waits for mpirun where all ranks have finished or one has failed.
constexpr double mpirunNoticesWithin = 5;

/// Open MPI may call a host by the first part of its name.
LostHost lostBy(const EndedCommand& daemon, const std::vector<std::string>& hosts) {
  const auto isCalledSo = [&](const std::string& host) {
    return host == daemon.host || host.starts_with(daemon.host + ".");
  };
  const auto named = std::ranges::find_if(hosts, isCalledSo);
  return {named == hosts.end() ? daemon.host : *named,
          fmt::format("Open MPI's daemon there has ended with exit code {}", daemon.exitCode)};
}

}  // namespace

std::optional<LostHost> lostWhileMpirunRuns(const HostEvidence& evidence) {
  if (evidence.silent) return evidence.silent;
  if (evidence.endedDaemons.empty() || evidence.secondsSinceDaemonEnded <= mpirunNoticesWithin) return std::nullopt;
  return lostBy(evidence.endedDaemons.front(), evidence.hosts);
}

std::optional<LostHost> lostWhereMpirunEnded(const HostEvidence& evidence) {
  if (evidence.silent) return evidence.silent;
  const auto failed = [](const EndedCommand& daemon) { return daemon.exitCode != 0; };
  const auto daemon = std::ranges::find_if(evidence.endedDaemons, failed);
  if (daemon == evidence.endedDaemons.end()) return std::nullopt;
  return lostBy(*daemon, evidence.hosts);
}

}  // namespace slipstream
