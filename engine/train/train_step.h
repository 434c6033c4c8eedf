#pragma once

#include <cstdint>

#include "engine/data/dataset.h"
#include "engine/nn/loss.h"
#include "engine/train/compose.h"

namespace slipstream {

/// What one step did on this rank.
struct StepResult {
  double loss = 0;  ///< of this rank's batch: what the experiment's loss returns
  StepOutcome outcome;
};

/// One training step: micro-batches forward and backward, gradients to the Update as they become complete, one update.
class TrainStep {
 public:
  TrainStep(Network& network, StepSlots& slots, const LossSpec& loss, Communicator& communicator);
  /// Collective. `step` counts the steps of the run from 0.
  StepResult run(const Batch& batch, std::int64_t step);

 private:
  double passOver(const Batch& batch, Range samples, const StepPlan& plan, int microBatch);

  Network& network_;
  StepSlots& slots_;
  const LossSpec& loss_;
  Communicator& communicator_;
  StepOutcome previous_;
  std::vector<float> outputGradient_;
};

}  // namespace slipstream
