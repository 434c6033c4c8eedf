#include "engine/boost/optimizer_update.h"

namespace slipstream {

OptimizerUpdate::OptimizerUpdate(const UpdateParts& parts, bool shareGradients)
    : ReplicatedUpdate(parts, shareGradients),
      optimizer_(makeOptimizer(parts.experiment.optimizer, parts.layout, {0, parts.layout.size()}, parts.stepsPerEpoch,
                               parts.totalSteps, parts.device, *parts.kernels.optimizer)) {}

std::vector<StateTensor> OptimizerUpdate::state() {
  if (optimizer_->state().empty()) return {};
  return {{"momentum", optimizer_->state(), optimizerDiffersByRank()}};
}

void OptimizerUpdate::optimize(Range range, std::span<float> weights, const StepContext& context) {
  optimizer_->update(range, weights, gradientsOf(range), context.updatesDone());
}

}  // namespace slipstream
