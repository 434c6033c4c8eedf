// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plan/run_plan.h"
#include "engine/spec/network_spec.h"

namespace slipstream::test {

/// A valid plan of `ranks` local ranks for tests of what happens around training, not of training.
inline RunPlan smallPlan(int ranks, std::int64_t steps) {
  RunPlan plan;
  plan.experiment.name = "small";
  plan.experiment.network = *builtInNetwork("lenet5");
  plan.experiment.dataset.name = "digits";
  plan.experiment.parallel.ranks = ranks;
  plan.experiment.train.epochs.reset();
  plan.experiment.train.steps = steps;
  for (int rank = 0; rank < ranks; ++rank) plan.places.push_back({rank, 0, "localhost", rank});
  plan.trainSamples = steps;
  plan.stepsPerEpoch = steps;
  plan.totalSteps = steps;
  plan.instructionSet = "baseline";
  return plan;
}

}  // namespace slipstream::test
