// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/run_plan.h"
#include "engine/slurm/batch_script.h"

namespace slipstream::cli {

/// The batch script that carries a run on, of a job with this name: at its first start and whenever Slurm has queued it
/// again, the same command.
std::string scriptOf(const SlurmRequest& request, const RunPlan& plan, const std::string& run,
                     const std::string& jobName, const std::string& storeFolder);

}  // namespace slipstream::cli
