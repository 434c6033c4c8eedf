// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/step_optimizer.h"

namespace slipstream {

Optimizer makeStepOptimizer(const UpdateContext& parts, const ParameterLayout& layout, Range owned) {
  OptimizerSpec spec = parts.experiment.optimizer;
  spec.lossScale = optimizerDivisor(parts.experiment);
  return {
      spec, layout, owned, parts.stepsPerEpoch, parts.totalSteps, parts.device, parts.kernels.of<OptimizerKernels>()};
}

}  // namespace slipstream
