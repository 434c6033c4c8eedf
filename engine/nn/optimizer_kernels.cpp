#include "engine/nn/optimizer_kernels.h"

#include "engine/base/processor_clones.h"

namespace slipstream {
namespace {

SLIPSTREAM_PROCESSOR_CLONES void plainStep(float* weights, const float* gradients, std::size_t count, StepNumbers by) {
  for (std::size_t i = 0; i < count; ++i) {
    const float gradient = gradients[i] * by.inverseScale + by.decay * weights[i];
    weights[i] -= by.rate * gradient;
  }
}

SLIPSTREAM_PROCESSOR_CLONES void momentumStep(float* weights, const float* gradients, float* velocity,
                                              std::size_t count, StepNumbers by) {
  for (std::size_t i = 0; i < count; ++i) {
    const float gradient = gradients[i] * by.inverseScale + by.decay * weights[i];
    const float moved = by.momentum * velocity[i] + by.keepGradient * gradient;
    velocity[i] = moved;
    weights[i] -= by.rate * moved;
  }
}

SLIPSTREAM_PROCESSOR_CLONES void nesterovStep(float* weights, const float* gradients, float* velocity,
                                              std::size_t count, StepNumbers by) {
  for (std::size_t i = 0; i < count; ++i) {
    const float gradient = gradients[i] * by.inverseScale + by.decay * weights[i];
    const float moved = by.momentum * velocity[i] + by.keepGradient * gradient;
    velocity[i] = moved;
    weights[i] -= by.rate * (gradient + by.momentum * moved);
  }
}

}  // namespace

const OptimizerKernels& cpuOptimizerKernels() {
  static constexpr OptimizerKernels kernels{plainStep, momentumStep, nesterovStep};
  return kernels;
}

}  // namespace slipstream
