// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/averaged.h"

#include "engine/boost/averaged/bucket_sum.h"
#include "engine/boost/averaged/spec.h"
#include "engine/boost/optimizer_update.h"

namespace slipstream {
namespace {

class Averaged final : public OptimizerUpdate {
 public:
  explicit Averaged(const UpdateContext& parts)
      : OptimizerUpdate(parts, parts.experiment.parallel.exchange != GradientExchange::messages),
        exchange_(makeGradientSum(parts, memory_, parts.experiment.parallel.gradientsMean)) {
    exchangeThrough(exchange_.get());
  }

 private:
  bool update(StepContext& context, StepOutcome&) override {
    optimize(trained(), weightsOf(trained()), context);
    return true;
  }

  std::unique_ptr<BucketExchange> exchange_;
};

}  // namespace

/// The last of the list: where nothing else makes the update.
void AveragedAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  if (!slots.update) slots.update = makeAveraged(parts);
}

std::unique_ptr<Update> makeAveraged(const UpdateContext& parts) {
  return std::make_unique<Averaged>(parts);
}

}  // namespace slipstream
