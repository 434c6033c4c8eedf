#include "engine/plan/forecast.h"

namespace slipstream {

MemoryForecast forecastMemory(const Experiment& experiment, const NetworkShape& shape, std::int64_t trainSamples,
                              std::int64_t evaluationSamples) {
  constexpr std::int64_t valueBytes = 4;
  std::int64_t elements = 0;
  for (const TensorSpec& tensor : shape.tensors) elements += tensor.elements();
  std::int64_t activations = shape.input.elements();
  for (const SampleShape& output : shape.outputs) activations += 2 * output.elements();
  const std::int64_t batch = experiment.dataset.batchSize;
  const std::int64_t weights = valueBytes * elements;
  const bool deltas = experiment.boost.adasumOptions.mode == AdasumMode::deltas;
  return {
      {"weights", weights},
      {"gradients", weights},
      {"optimizer_state", experiment.optimizer.momentum > 0 ? weights : 0},
      {"boost", experiment.boost.adasum ? (deltas ? 2 * weights : weights) : 0},
      {"activations", valueBytes * batch * activations},
      {"data", (trainSamples + evaluationSamples) * (shape.input.elements() + 1) +
                   valueBytes * batch * (shape.input.elements() + 1)},
  };
}

}  // namespace slipstream
