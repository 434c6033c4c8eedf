#pragma once

#include <cstddef>

namespace slipstream {

/// The numbers of one optimizer step for the elements of one tensor.
struct StepNumbers {
  float rate;
  float inverseScale;
  float decay;
  float momentum;
  float keepGradient;  ///< 1 - dampening; 1 at the first step
};

/// The optimizers' arithmetic on one device, which all pointers are of. In all of them g' = g / scale + decay * w.
struct OptimizerKernels {
  /// w -= rate * g'
  void (*plain)(float* weights, const float* gradients, std::size_t count, StepNumbers by);
  /// v = momentum * v + keep * g'; w -= rate * v
  void (*momentum)(float* weights, const float* gradients, float* velocity, std::size_t count, StepNumbers by);
  /// As momentum, then steps along g' + momentum * v.
  void (*nesterov)(float* weights, const float* gradients, float* velocity, std::size_t count, StepNumbers by);
};

const OptimizerKernels& cpuOptimizerKernels();

}  // namespace slipstream
