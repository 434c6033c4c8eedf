// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "engine/data/dataset.h"
#include "engine/train/compose.h"
#include "engine/train/network_passes.h"

namespace slipstream {

/// What one step did on this rank.
struct StepResult {
  /// Of this rank's batch: what the experiment's loss returns, weighted so that the mean over ranks is the mean over
  /// the samples of all of them.
  double loss = 0;
  StepOutcome outcome;
  /// What this rank's step spent in its slots, as metrics: policy_seconds, pass_seconds/NAME of each gradient pass,
  /// update_seconds. All of it is computing; the exchange is outcome.communication.
  std::map<std::string, double> slotSeconds = {};
};

/// One training step: micro-batches forward and backward, gradients to the Update as they become complete, one update.
class TrainStep {
 public:
  TrainStep(NetworkPasses& passes, StepSlots& slots, Communicator& communicator);
  void resumeAfter(std::int64_t updatesDone) { updatesDone_ = updatesDone; }

  /// Collective. `step` counts the steps of the run from 0.
  StepResult run(const Batch& batch, std::int64_t step);
  /// Steps that changed the weights; those that overflowed did not.
  std::int64_t updatesDone() const { return updatesDone_; }

 private:
  double passOver(const MicroBatch& part, const StepPlan& plan, double gradientScale, int index, bool isLast);

  NetworkPasses& passes_;
  StepSlots& slots_;
  Communicator& communicator_;
  std::int64_t updatesDone_ = 0;
  std::vector<double> passSeconds_;  ///< of this step, by gradient pass
};

}  // namespace slipstream
