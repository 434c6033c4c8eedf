// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/make_run_plan.h"

namespace slipstream {

/// The plan of an experiment with stages: each is planned like an experiment of its own, then they are put behind each
/// other.
Result<RunPlan> planStages(const LoadedExperiment& loaded, const SampleCounts& samples, bool forceLocal, int cores);

}  // namespace slipstream
