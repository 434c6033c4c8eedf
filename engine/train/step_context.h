#pragma once

#include <vector>

#include "engine/base/clock.h"
#include "engine/boost/step_slots.h"
#include "engine/nn/loss.h"
#include "engine/train/micro_batches.h"

namespace slipstream {

/// What passed through the network in one step, and what this rank saw.
struct StepSoFar {
  std::vector<MicroBatch> microBatches;
  bool checksOverflow = false;                ///< some gradient pass does, on every rank
  bool overflow = false;                      ///< on this rank
  std::vector<std::span<double>> flags = {};  ///< of the gradient passes
  double loss = 0;                            ///< of this rank's batch
};

/// What an Update may ask at the end of a step, answered with that step's own batch.
class BatchContext final : public StepContext {
 public:
  BatchContext(Network& network, Update& update, const LossSpec& loss, Communicator& communicator, const StepPlan& plan,
               const StepSoFar& sofar, std::int64_t updatesDone)
      : network_(network),
        update_(update),
        loss_(loss),
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

  Network& network_;
  Update& update_;
  const LossSpec& loss_;
  Communicator& communicator_;
  const StepPlan& plan_;
  const StepSoFar& sofar_;
  std::int64_t updatesDone_;
  double exchangeSeconds_ = 0;
};

}  // namespace slipstream
