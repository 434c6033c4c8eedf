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

/// What an Update may ask at the end of a step that does not need the network: what ranks say together.
class RankContext : public StepContext {
 public:
  RankContext(StepSlots& slots, Communicator& communicator, const StepPlan& plan, std::int64_t updatesDone)
      : slots_(slots), communicator_(communicator), plan_(plan), updatesDone_(updatesDone) {}

  const StepPlan& plan() const override { return plan_; }
  std::int64_t updatesDone() const override { return updatesDone_; }
  bool overflowVote() override;
  double exchangeSeconds() const override { return exchangeSeconds_; }

 protected:
  /// Of the losses that ranks weighted by their samples. Collective.
  double meanOverRanks(double loss);

  StepSlots& slots_;

 private:
  Communicator& communicator_;
  const StepPlan& plan_;
  std::int64_t updatesDone_;
  double exchangeSeconds_ = 0;
};

/// Answers with the step's own batch.
class BatchContext final : public RankContext {
 public:
  BatchContext(NetworkPasses& passes, StepSlots& slots, Communicator& communicator, const StepPlan& plan,
               const StepSoFar& sofar, std::int64_t updatesDone)
      : RankContext(slots, communicator, plan, updatesDone), passes_(passes), sofar_(sofar) {}

  double meanLoss() override { return meanOverRanks(sofar_.loss); }
  double trialLoss() override;

 private:
  NetworkPasses& passes_;
  const StepSoFar& sofar_;
};

}  // namespace slipstream
