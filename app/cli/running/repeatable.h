// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/run_plan.h"
#include "engine/store/run_store.h"

namespace slipstream::cli {

/// Whether this machine rounds as the one did that the plan was made on; ranks and threads are the plan's own.
Status sameBits(const RunPlan& plan);

/// Whether steps of the run come out with the same bits here: same instruction set, ranks and threads as recorded, and
/// a device and programs that this build has. Every reason why not.
Status repeatableHere(const RunRecord& run, const RunPlan& plan);

}  // namespace slipstream::cli
