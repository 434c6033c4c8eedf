// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include <nlohmann/json.hpp>

#include "engine/plan/run_plan.h"

namespace slipstream::test {

/// Every algorithm, on an experiment that takes a second: what a device whose memory is not the host's is tried with.
struct ProtectedCase {
  const char* name;
  const char* changes;  ///< a merge patch of the experiment
};
const std::vector<ProtectedCase>& protectedCases();

RunPlan protectedPlan(const char* changes = "{}");

/// Snapshots are kept, their principal components become a projection on the device, statistics are refreshed.
/// `method`: of dim_reduce.
RunPlan stagedProtectedPlan(const char* method, int ranks = 3);

}  // namespace slipstream::test
