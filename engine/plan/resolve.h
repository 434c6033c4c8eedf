// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

/// What beside the algorithms (engine/boost/algorithms.h) is decided once ranks, data and network are known.

/// Says that the device is emulated, where it is.
void describeEmulation(RunPlan& plan);
/// Shares of schedules and of the training become numbers of epochs. `updates`: steps that train.
void resolveSchedules(RunPlan& plan, std::int64_t updates);
/// What a short last batch of an epoch counts for, where the ranks cannot share it evenly; after the algorithms.
void describeRemainder(RunPlan& plan);
/// How gradients are summed between hosts; after the algorithms.
void resolveExchange(RunPlan& plan);
/// Whether a run that loses a host can go on as train.on_lost says; after the algorithms and the exchange.
Status resolveLosses(RunPlan& plan);
/// Which gradients are sent together: the layers' ids, all_reduce_fusion_config or gradient_split_groups, as
/// all_reduce_fusion_config in the end; after the sharding, which may leave nothing to group.
void resolveFusion(RunPlan& plan, const NetworkShape& shape);

/// amp_level auto becomes O0 or O2; a level that could change nothing is a failure. `multipliesBfloat16`: as this
/// processor does, unless the caller says otherwise.
Status resolvePrecision(RunPlan& plan, const NetworkShape& shape);
Status resolvePrecision(RunPlan& plan, const NetworkShape& shape, bool multipliesBfloat16);

}  // namespace slipstream
