#pragma once

#include "engine/plan/run_plan.h"

namespace slipstream {

/// Settles what grad_freeze, grad_accumulation, grad_centralization and loss_scale do with this network, and writes the
/// decisions down. What cannot act fails where the dictionary demands it, and is off or cut to size where only a level
/// or enable_all turned it on.
Status settlePolicies(RunPlan& plan, const NetworkShape& shape);

}  // namespace slipstream
