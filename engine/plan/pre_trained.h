// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/interchange/weight_match.h"
#include "engine/plan/run_plan.h"

namespace slipstream {

/// Opens the file of network.pre_trained: fails where it cannot be read, or lacks what the network needs and the
/// experiment does not have that initialized; says in the plan what is taken and what is not, and keeps the SHA-256 of
/// the file there. `shape` is the network's.
Status resolvePreTrained(RunPlan& plan, const NetworkShape& shape);

/// Fails where a file of network.pre_trained is no longer the one that the run was planned with.
Status checkPreTrained(const RunPlan& plan);

/// The network's tensors in the file; fails as resolvePreTrained does.
Result<WeightMatch> matchPreTrained(const PreTrainedSpec& spec, const NetworkSpec& network, const NetworkShape& shape);

}  // namespace slipstream
