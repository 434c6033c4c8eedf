// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cmath>
#include <string>

#include "tests/support/sample_run.h"
#include "tests/support/small_plan.h"

namespace slipstream::test {

struct StagedRun {
  std::uint64_t seed = 1;
  std::string variant = "";
  double momentum = 0.9;        ///< of every stage
  double secondRate = 0.01;     ///< of the second alone
  double secondAccuracy = 0.8;  ///< the first ends at 0.5, the third at 0.7
  std::int64_t stepsDone = 151;
};

/// 100 updates, 50 updates from there, and a pass that refreshes the statistics of the first.
inline RunPlan planOf(const StagedRun& staged) {
  RunPlan plan = smallPlan(2, 100);
  Experiment& shared = plan.experiment;
  shared.seed = staged.seed;
  shared.variant = staged.variant;
  shared.optimizer.momentum = staged.momentum;
  shared.optimizer.schedule.maximum = 0.777;  // no stage has it
  const auto stage = [&](const char* name, StageStart start, std::int64_t first, std::int64_t end, double rate) {
    StagePlan made{name, shared, std::move(start), first, end, 50};
    made.experiment.train.steps = end - first;
    made.experiment.optimizer.schedule.maximum = rate;
    plan.stages.push_back(std::move(made));
  };
  stage("first", {}, 0, 100, 0.1);
  stage("second", {"first"}, 100, 150, staged.secondRate);
  stage("refresh", {"first"}, 150, 151, 0.1);
  plan.stages.back().experiment.train.steps = 0;
  plan.stages.back().experiment.train.refreshStatistics = true;
  plan.totalSteps = 151;
  return plan;
}

/// The loss of step s is s; a step takes 10 ms in the first stage and 20 ms in the second.
inline std::string recordStagedRun(RunStore& store, const StagedRun& staged) {
  NewRun asked = sampleRun("staged");
  asked.variant = staged.variant;
  asked.seed = staged.seed;
  asked.planText = toJsonText(planOf(staged));
  const std::string id = store.createRun(asked);
  const int attempt = store.startAttempt(id, 0);
  const auto value = [](std::int64_t step, std::size_t column) {
    return column == 0 ? static_cast<double>(step) : step < 100 ? 0.010 : 0.020;
  };
  const std::int64_t updates = std::min<std::int64_t>(staged.stepsDone, 150);
  store.appendMetrics(id, attempt, 0, 1, block(0, updates, {"loss", "step_seconds"}, value));
  std::int64_t sequence = 1;
  const auto evaluate = [&](std::int64_t step, double accuracy) {
    if (step > staged.stepsDone) return;
    store.appendMetrics(id, attempt, 0, ++sequence,
                        block(step, 1, {"accuracy", "evaluation_loss"},
                              [&](auto, std::size_t column) { return column == 0 ? accuracy : 1 - accuracy; }));
  };
  evaluate(50, 0.6);
  evaluate(100, 0.5);
  evaluate(150, staged.secondAccuracy);
  evaluate(151, 0.7);
  store.setState(id, staged.stepsDone == 151 ? RunState::done : RunState::stopped, "");
  return id;
}

}  // namespace slipstream::test
