// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

#include "engine/base/failure.h"
#include "engine/plan/run_plan.h"

namespace slipstream {

/// What algorithms do in this run, decided once ranks, data and network are known: makeRunPlan calls them in this
/// order. What cannot act is off with a decision that says why, or a failure where the dictionary itself demands it.

/// less_bn: rewrites the network, so that forecast, plan and workers see the same one.
Status settleLessBn(RunPlan& plan);

/// Shares of schedules and of the training become numbers of epochs. `updates`: steps that train.
void settleSchedules(RunPlan& plan, std::int64_t updates);
/// adasum: scope, exchange and mode; off where nobody is there to combine with.
void settleAdasum(RunPlan& plan);
/// What a short last batch of an epoch counts for, where the ranks cannot share it evenly; after settleAdasum.
void settleRemainder(RunPlan& plan);
/// Which of averaged, adasum and dim_reduce makes the update.
void settleUpdate(RunPlan& plan);
/// Which gradients are sent together: the layers' ids, all_reduce_fusion_config or gradient_split_groups, as
/// all_reduce_fusion_config in the end; after the sharding, which may leave nothing to group.
void settleFusion(RunPlan& plan, const NetworkShape& shape);

/// amp_level auto becomes O0 or O2; a level that could change nothing is a failure. `multipliesBfloat16`: as this
/// processor does, unless the caller says otherwise.
Status settlePrecision(RunPlan& plan, const NetworkShape& shape);
Status settlePrecision(RunPlan& plan, const NetworkShape& shape, bool multipliesBfloat16);

/// grad_freeze, grad_accumulation, grad_centralization and loss_scale: groups are cut to the network of this `shape`.
Status settlePolicies(RunPlan& plan, const NetworkShape& shape);
/// optimizer_parallel: the shard size becomes a number of ranks.
Status settleSharding(RunPlan& plan);
/// What it cuts, now that the shape is known.
void describeSharding(RunPlan& plan, const NetworkShape& shape);

/// Adds a line to the plan.
void decide(RunPlan& plan, Decision decision);
void decide(RunPlan& plan, std::string subject, std::string state, std::string why);
/// Replaces the line about an algorithm, which is the decision's subject.
void decideAlgorithm(RunPlan& plan, const Decision& decision);
/// The algorithm takes no part in the run, and its line says why.
void switchOff(RunPlan& plan, const std::string& algorithm, const std::string& why);
/// The same where it was asked for and could not act (noEffect).
void switchOffWithoutEffect(RunPlan& plan, const std::string& algorithm, const std::string& why);

}  // namespace slipstream
