// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/averaged/averaged.h"

#include "engine/boost/averaged/bucket_sum.h"
#include "engine/boost/averaged/spec.h"
#include "engine/boost/optimizer_update.h"

namespace slipstream {
namespace {

class GradientSum final : public Exchange {
 public:
  GradientSum(const UpdateContext& parts, const RankMemory& gradients)
      : sum_(makeGradientSum(parts, gradients, parts.experiment.parallel.gradientsMean)),
        name_(sum_ ? nameOfSum(gradients) : "none") {}

  BucketExchange* ofGradients() const override { return sum_.get(); }
  bool addsGradients() const override { return true; }
  std::string name() const override { return name_; }

 private:
  std::unique_ptr<BucketExchange> sum_;
  std::string name_;
};

}  // namespace

/// The last of the list: where no other algorithm has an exchange of its own.
ExchangeMaker AveragedAlgorithm::exchange(const UpdateContext& parts) {
  return {.sharesMemory = parts.experiment.parallel.exchange != GradientExchange::messages,
          .isSum = true,
          .make = [](const UpdateContext& all, const RankMemory& gradients) {
            return std::make_unique<GradientSum>(all, gradients);
          }};
}

/// The last of the list, too: where nothing else makes the update.
void AveragedAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  if (!slots.update) slots.update = std::make_unique<OptimizerUpdate>(parts, exchangeOf(parts));
}

std::unique_ptr<Update> makeAveraged(const UpdateContext& parts) {
  return std::make_unique<OptimizerUpdate>(parts, AveragedAlgorithm::exchange(parts));
}

}  // namespace slipstream
