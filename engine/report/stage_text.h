// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

#include "engine/plan/run_plan.h"
#include "engine/spec/text.h"

namespace slipstream {

// What a stage was asked to do, in words: the same in plans, runs and reports. A run without stages is one stage.

/// What a stage starts from: "the mean of the snapshots of train", "train", "the weights of FILE", "random weights".
Text startText(const StagePlan& stage);

/// "4 epochs = 40 updates of 2 × 64 samples", "a pass that refreshes statistics"; `ranks` share an update.
Text lengthText(const StagePlan& stage, int ranks);

/// "momentum 0.9, learning rate linear up to 0.1 in 18 epochs, warm-up 1"; a dash where no optimizer steps.
Text optimizerText(const StagePlan& stage);

/// Everything that acts on the network, the gradients or the update: "less_bn (normalised head, centralised gradients),
/// adasum"; "none".
Text algorithmsText(const Experiment& experiment);

/// allDecisions in aligned lines, two blanks before each.
std::string decisionsText(const RunPlan& plan);

}  // namespace slipstream
