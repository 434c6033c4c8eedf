// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/resolve.h"

namespace slipstream {
namespace {

void resolve(ScheduleSpec& schedule, double trainedEpochs) {
  if (schedule.coveredFraction > 0) schedule.totalEpochs = trainedEpochs / schedule.coveredFraction;
  schedule.coveredFraction = 0;
  if (schedule.warmupFraction == 0) return;
  schedule.warmupEpochs = schedule.warmupFraction * (schedule.totalEpochs > 0 ? schedule.totalEpochs : trainedEpochs);
  schedule.warmupFraction = 0;
}

}  // namespace

void resolveSchedules(RunPlan& plan, std::int64_t updates) {
  const double epochs = static_cast<double>(updates) / static_cast<double>(plan.stepsPerEpoch);
  OptimizerSpec& optimizer = plan.experiment.optimizer;
  resolve(optimizer.schedule, epochs);
  for (ParameterGroupSpec& group : optimizer.groups) {
    if (group.schedule) resolve(*group.schedule, epochs);
  }
}

}  // namespace slipstream
