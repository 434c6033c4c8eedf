#pragma once

#include "engine/plan/run_plan.h"
#include "engine/record/comparison.h"

namespace slipstream {

/// Steps over which the final loss is averaged: the loss of a single mini-batch says little.
inline constexpr std::size_t finalLossSteps = 20;

/// Reads what the measures need from the store.
RunOutcome outcomeOf(RunStore& store, const RunRecord& run, const RunPlan& plan);

}  // namespace slipstream
