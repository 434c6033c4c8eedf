#pragma once

#include <string>

#include "engine/base/failure.h"
#include "engine/plan/run_plan.h"

namespace slipstream {

/// What algorithms do in this run, decided once ranks, data and network are known: makeRunPlan calls them in this
/// order. What cannot act is off with a decision that says why, or a failure where the dictionary itself demands it.

/// less_bn: rewrites the network, so that forecast, plan and workers see the same one.
Status settleLessBn(RunPlan& plan);

/// optimizer_parallel: the shard size becomes a number of ranks.
Status settleSharding(RunPlan& plan);
/// What it cuts, now that the shape is known.
void describeSharding(RunPlan& plan, const NetworkShape& shape);

/// Replaces the line about an algorithm by `state` and `why`.
void decideAlgorithm(RunPlan& plan, const std::string& algorithm, const std::string& state, const std::string& why);

}  // namespace slipstream
