// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/grad_accumulation/grad_accumulation.h"

#include "engine/boost/grad_accumulation/spec.h"

namespace slipstream {
namespace {

class MicroBatching final : public StepPolicy {
 public:
  explicit MicroBatching(const TrainSpec& train) : train_(train) {}
  std::string name() const override { return "grad_accumulation"; }
  void plan(std::int64_t, StepPlan& plan) override {
    plan.microBatches = static_cast<int>(train_.microSize);
    plan.sumMicroBatches = train_.microReduction == MicroReduction::sum;
  }

 private:
  TrainSpec train_;
};

}  // namespace

void GradAccumulationAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  const TrainSpec& train = parts.experiment.train;
  if (train.microSize > 1) slots.policies.push_back(makeMicroBatching(train));
}

std::unique_ptr<StepPolicy> makeMicroBatching(const TrainSpec& train) {
  return std::make_unique<MicroBatching>(train);
}

}  // namespace slipstream
