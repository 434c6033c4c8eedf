#pragma once

#include "engine/boost/step_slots.h"
#include "engine/data/dataset.h"
#include "engine/nn/loss.h"

namespace slipstream {

/// What an Update may ask at the end of a step, answered with that step's own batch.
class BatchContext final : public StepContext {
 public:
  BatchContext(Network& network, Update& update, const LossSpec& loss, Communicator& communicator, const Batch& batch,
               const StepPlan& plan, std::int64_t step)
      : network_(network),
        update_(update),
        loss_(loss),
        communicator_(communicator),
        batch_(batch),
        plan_(plan),
        step_(step) {}

  std::int64_t step() const override { return step_; }
  bool overflowVote() override;
  double trialLoss() override;

 private:
  Network& network_;
  Update& update_;
  const LossSpec& loss_;
  Communicator& communicator_;
  const Batch& batch_;
  const StepPlan& plan_;
  std::int64_t step_;
};

}  // namespace slipstream
