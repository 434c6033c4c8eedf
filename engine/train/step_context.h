// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/base/clock.h"
#include "engine/train/compose.h"
#include "engine/train/network_passes.h"

namespace slipstream {

/// What passed through the network in one step, and what this rank saw.
struct StepSoFar {
  std::vector<MicroBatch> microBatches;
  double loss = 0;  ///< of this rank's batch, weighted by its samples' share of all ranks'
};

/// What an Update may ask at the end of a step, answered with that step's own batch.
class BatchContext final : public StepContext {
 public:
  BatchContext(NetworkPasses& passes, StepSlots& slots, Communicator& communicator, const StepPlan& plan,
               const StepSoFar& sofar, std::int64_t updatesDone)
      : passes_(passes),
        slots_(slots),
        communicator_(communicator),
        plan_(plan),
        sofar_(sofar),
        updatesDone_(updatesDone) {}

  const StepPlan& plan() const override { return plan_; }
  std::int64_t updatesDone() const override { return updatesDone_; }
  bool overflowVote() override;
  double meanLoss() override { return meanOverRanks(sofar_.loss); }
  double trialLoss() override;
  double exchangeSeconds() const override { return exchangeSeconds_; }

 private:
  double meanOverRanks(double loss);

  NetworkPasses& passes_;
  StepSlots& slots_;
  Communicator& communicator_;
  const StepPlan& plan_;
  const StepSoFar& sofar_;
  std::int64_t updatesDone_;
  double exchangeSeconds_ = 0;
};

}  // namespace slipstream
