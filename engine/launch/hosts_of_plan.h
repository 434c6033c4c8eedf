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

/// The worker program that is to be started on every host of the plans, by the same path: the one beside this program,
/// or, where `stage` asks for it and a plan is for several hosts, a copy that hosts are sent where they lack it
/// (staged_worker.h).
Result<std::filesystem::path> workerOnHosts(const std::vector<RunPlan>& plans, bool stage);

/// What the hosts of a plan answered, and what follows from it.
struct HostsAnswer {
  HostFacts here;
  std::vector<CheckedHost> hosts;
  std::vector<HostLink> links;       ///< where they were to be measured
  Failures problems;                 ///< what keeps a run from starting; hosts that did not answer are among them
  std::vector<std::string> remarks;  ///< what a run can do with
};

/// Asks this machine and all hosts of the plan at once, and waits for them: some seconds where one does not answer.
/// `measures`: then also the links between them, a second for each round of pairs.
HostsAnswer askHosts(const RunPlan& plan, const std::filesystem::path& worker, bool measures = false);

/// Whether the hosts of a plan can run it, where it is not local; adds to `remarks`.
Status checkHosts(const RunPlan& plan, const std::filesystem::path& worker, std::vector<std::string>& remarks);

/// The same of plans that are not stored yet: decides the threads of a rank by the host with the fewest cores for its
/// ranks, and how ranks on devices exchange.
Status resolveHosts(std::vector<RunPlan>& plans, const std::filesystem::path& worker,
                    std::vector<std::string>& remarks);

}  // namespace slipstream
