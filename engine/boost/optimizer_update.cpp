// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_update.h"

#include "engine/boost/step_optimizer.h"

namespace slipstream {

OptimizerUpdate::OptimizerUpdate(const UpdateContext& parts, bool shareGradients)
    : ReplicatedUpdate(parts, shareGradients),
      optimizer_(makeStepOptimizer(parts, parts.layout, {0, parts.layout.size()})) {}

std::vector<StateTensor> OptimizerUpdate::state() {
  if (optimizer_.state().empty()) return {};
  return {{"momentum", optimizer_.state(), optimizerDiffersByRank()}};
}

void OptimizerUpdate::optimize(Range range, std::span<float> weights, const StepContext& context) {
  optimizer_.update(range, weights, gradientsOf(range), context.updatesDone());
}

}  // namespace slipstream
