// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream::cli {

/// Leaves the plans of the named variants, in the order of the file; all where none is named. Names each variant that
/// the file does not have.
Status keepVariants(std::vector<RunPlan>& plans, const std::vector<std::string>& names);

}  // namespace slipstream::cli
