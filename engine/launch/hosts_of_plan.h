// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "engine/hosts/host_check.h"
#include "engine/plan/run_plan.h"

namespace slipstream {

/// The hosts of a plan, each once, in the order of their first ranks.
std::vector<std::string> hostsOf(const RunPlan& plan);

/// What the hosts of a plan answered, and what follows from it.
struct HostsAnswer {
  HostFacts here;
  std::vector<CheckedHost> hosts;
  Failures problems;                 ///< what keeps a run from starting; hosts that did not answer are among them
  std::vector<std::string> remarks;  ///< what a run can do with
};

/// Asks this machine and all hosts of the plan at once, and waits for them: some seconds where one does not answer.
HostsAnswer askHosts(const RunPlan& plan, const std::filesystem::path& worker);

/// Whether the hosts of a plan can run it, where it is not local; adds to `remarks`.
Status checkHosts(const RunPlan& plan, const std::filesystem::path& worker, std::vector<std::string>& remarks);

/// The same of plans that are not stored yet: decides the threads of a rank by the host with the fewest cores for its
/// ranks.
Status resolveHosts(std::vector<RunPlan>& plans, const std::filesystem::path& worker,
                    std::vector<std::string>& remarks);

}  // namespace slipstream
