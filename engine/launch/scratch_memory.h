// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// Adds to the forecast of each plan what only the worker program can tell: the scratch memory of the layers, which the
/// library's kernels decide, as this processor runs them. Starts no process where no network has such layers. Where the
/// worker cannot be asked, the plan says that its forecast is a lower bound, and why.
void forecastScratch(std::vector<RunPlan>& plans);

}  // namespace slipstream
