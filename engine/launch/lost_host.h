// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/hosts/remote_shell.h"

namespace slipstream {

struct LostHost {
  std::string host;
  std::string why;
};

/// What is known of the hosts of one attempt, when it is asked which of them is lost.
struct HostEvidence {
  std::vector<std::string> hosts = {};          ///< as the plan names them
  std::optional<LostHost> silent = {};          ///< one that no longer answers
  std::vector<EndedCommand> endedDaemons = {};  ///< Open MPI's, the first to end first
  double secondsSinceDaemonEnded = 0;           ///< the first of them
};

/// While mpirun goes on. A daemon also ends where all ranks have finished or one has failed: its host is lost only
/// where mpirun has had the time to take note of that and to end, too.
std::optional<LostHost> lostWhileMpirunRuns(const HostEvidence& evidence);
/// After mpirun has ended. Daemons that it has told to end do so in order, with exit code 0.
std::optional<LostHost> lostWhereMpirunEnded(const HostEvidence& evidence);

}  // namespace slipstream
