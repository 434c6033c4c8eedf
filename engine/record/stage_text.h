#pragma once

#include <string>

#include "engine/plan/run_plan.h"

namespace slipstream {

// What a stage was asked to do, in words: the same in plans, runs and reports. A run without stages is one stage.

/// "the mean of train's snapshots", "train", "fresh weights"
std::string startText(const StageStart& start);

/// "4 epochs = 40 updates of 2 × 64 samples", "a pass that refreshes statistics"; `ranks` share an update.
std::string lengthText(const StagePlan& stage, int ranks);

/// "momentum 0.9, learning rate linear up to 0.1 in 18 epochs, warm-up 1"; a dash where no optimizer steps.
std::string optimizerText(const StagePlan& stage);

/// "adasum, less_bn"; "none"
std::string algorithmsText(const Experiment& experiment);

/// allDecisions in aligned lines, two blanks before each.
std::string decisionsText(const RunPlan& plan);

}  // namespace slipstream
