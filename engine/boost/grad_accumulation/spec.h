// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/algorithm_spec.h"

namespace slipstream {

struct GradAccumulationOptions {
  static constexpr const char* algorithm = "grad_accumulation";
  int gradAccumulationStep = 1;

  static std::vector<BoostOption> keys() {
    return {option("grad_accumulation_step", "Batches an update", &GradAccumulationOptions::gradAccumulationStep,
                   atLeast(1), "batches an update")};
  }
};

/// Batches of the data set that a rank takes for one update: grad_accumulation's step form.
int batchesPerStep(const Experiment& experiment);

struct GradAccumulationAlgorithm {
  static AlgorithmSpec spec();
  static void fillSlots(StepSlots& slots, const UpdateContext& parts);
};

}  // namespace slipstream
