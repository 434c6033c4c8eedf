// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <vector>

#include "engine/base/failure.h"
#include "engine/hosts/host_facts.h"
#include "engine/hosts/host_links.h"

namespace slipstream {

/// One host of a run, as it answered.
struct CheckedHost {
  std::string host;  ///< as the rank table names it
  HostFacts facts;
  double clockAhead = 0;  ///< seconds, of this machine's
  int ranks = 0;          ///< that it would get
};

/// What a run needs of each host.
struct HostNeeds {
  std::int64_t memoryPerRank = 0;  ///< bytes, of main memory
  std::string instructionSet;      ///< whose bits the plan has; empty: any
};

/// Everything that keeps a run from starting there, or from giving the result that the plan promises. `here`: what this
/// machine says of itself, with the data of the plan.
Failures findHostProblems(const std::vector<CheckedHost>& hosts, const HostFacts& here, const HostNeeds& needs);

/// Hosts between which no link could be measured: their ranks cannot exchange anything.
Failures findLinkProblems(const std::vector<HostLink>& links);

/// What a run can do with, and its user should know: one sentence each.
std::vector<std::string> findHostRemarks(const std::vector<CheckedHost>& hosts);

}  // namespace slipstream
