// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/plan_file.h"
#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream {

/// What the store keeps of a run to tell, and to repeat, what it was: file, plan, seeds, host, versions, the variables
/// that were honoured, the command. `group` is shared by the runs of one command.
NewRun describeRun(const PlannedFile& file, const RunPlan& plan, const std::string& commandText,
                   const std::string& group);

}  // namespace slipstream
