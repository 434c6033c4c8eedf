// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "engine/plan/run_plan.h"
#include "engine/train/checkpoint.h"
#include "engine/train/step_vote.h"

namespace slipstream {

// What both kinds of training, of the engine's networks and of a program's, decide alike.

/// What is due when a step is over; the same on all ranks.
struct DueAfterStep {
  bool stageEnds = false;
  bool snapshot = false;
  bool checkpoint = false;
  bool stops = false;  ///< the run was asked to end here, before its last step
};

/// `done` steps of the run are over, the last of them in `stage`.
DueAfterStep dueAfterStep(const RunPlan& plan, const StagePlan& stage, std::int64_t done, const Vote& vote);

/// Whether a checkpoint at this step has all that training goes on from, and not weights alone.
bool keepsWholeState(const RunPlan& plan, const StagePlan& stage, std::int64_t done);

/// What the tutorials' LossMonitor prints where `done` of the stage's own updates were over before; nothing where no
/// line is due.
std::optional<std::string> dueLossLine(const StagePlan& stage, std::int64_t done, double loss);

/// Throws Error where a checkpoint inside the stage was made in another.
void requireStage(const TrainingProgress& progress, const StagePlan& stage);

}  // namespace slipstream
