// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/train/stage_progress.h"

#include <algorithm>

#include <fmt/format.h>

#include "engine/base/error.h"
#include "engine/base/monitor_lines.h"
#include "engine/spec/checkpoint_schedule.h"

namespace slipstream {
namespace {

bool isStartOfAnother(const RunPlan& plan, const StagePlan& stage) {
  return startingSteps(plan).contains(stage.endStep);
}

}  // namespace

DueAfterStep dueAfterStep(const RunPlan& plan, const StagePlan& stage, std::int64_t done, const Vote& vote) {
  const CheckpointSpec& schedule = stage.experiment.train.checkpoint;
  const bool ends = done == stage.endStep;
  const bool scheduled = vote.checkpointDue || checkpointDueBySteps(schedule, done);
  const bool asked = done == plan.endAtStep || vote.stop == StopKind::afterStep ||
                     (vote.stop == StopKind::afterCheckpoint && (scheduled || !checkpointsAreScheduled(schedule)));
  const bool stops = asked && done != plan.totalSteps;
  const bool keepsEnd = ends && (schedule.atEnd || isStartOfAnother(plan, stage));
  return {ends, std::ranges::binary_search(stage.snapshotSteps, done), scheduled || keepsEnd || stops, stops};
}

bool keepsWholeState(const RunPlan& plan, const StagePlan& stage, std::int64_t done) {
  return !stage.experiment.train.checkpoint.weightsOnly || (done == stage.endStep && isStartOfAnother(plan, stage));
}

std::optional<std::string> dueLossLine(const StagePlan& stage, std::int64_t done, double loss) {
  const std::int64_t every = stage.experiment.train.logEverySteps;
  const bool isDue = every > 0 && ((done + 1) % every == 0 || done + 1 == stage.updates());
  if (!isDue) return std::nullopt;
  return lossLine(done / stage.stepsPerEpoch + 1, done % stage.stepsPerEpoch + 1, loss);
}

void requireStage(const TrainingProgress& progress, const StagePlan& stage) {
  if (progress.stage == stage.name) return;
  throw Error(fmt::format("the checkpoint of step {} is of stage {}, but the plan has stage {} there", progress.step,
                          progress.stage, stage.name));
}

}  // namespace slipstream
