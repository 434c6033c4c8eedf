// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "engine/boost/exchange.h"
#include "engine/boost/replicated_update.h"
#include "engine/boost/step_optimizer.h"
#include "engine/boost/vectors/kernels.h"

namespace slipstream {

/// An update whose every rank keeps all weights and a whole optimizer, whatever the exchange.
class OptimizerUpdate final : public ReplicatedUpdate {
 public:
  /// Collective. What `parts` refers to must outlive this.
  OptimizerUpdate(const UpdateContext& parts, const ExchangeMaker& maker);

  std::vector<StateTensor> state() override { return optimizer_.state(exchange_->ofSteps() != nullptr); }
  double learningRateAt(std::int64_t updatesDone) const override { return optimizer_.learningRateAt(updatesDone); }
  std::string exchange() const override { return exchange_->name(); }
  UpdateTraits traits() const override;

 private:
  bool update(StepContext& context, StepOutcome& outcome) override;
  CommunicationTime combineSteps(const StepContext& context);
  StepRange rangeOf(Range range) { return {range, weightsOf(range), gradientsOf(range)}; }

  const VectorKernels& vectors_;
  StepOptimizer optimizer_;
  std::unique_ptr<Exchange> exchange_;
  std::unique_ptr<Buffer> stepped_;  ///< a copy of one bucket's weights, where steps are exchanged
};

}  // namespace slipstream
