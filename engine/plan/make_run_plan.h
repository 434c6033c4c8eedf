// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/experiment/experiment_file.h"
#include "engine/plan/run_plan.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {

/// Decides everything about one experiment, so that nothing is left to chance or to the machine that resumes it.
Result<RunPlan> makeRunPlan(const LoadedExperiment& loaded, const SampleCounts& samples, bool forceLocal, int cores);

struct TrainingLength {
  std::int64_t stepsPerEpoch = 0;
  std::int64_t updates = 0;
};
/// The steps that `train` asks for, as steps or as epochs of `samples`; at least one.
TrainingLength trainingLength(const Experiment& experiment, std::int64_t samples, int ranks);

}  // namespace slipstream
