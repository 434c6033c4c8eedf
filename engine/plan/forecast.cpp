#include "engine/plan/forecast.h"

#include <algorithm>

namespace slipstream {
namespace {

constexpr std::int64_t valueBytes = 4;

std::int64_t trainableElements(const NetworkShape& shape) {
  std::int64_t elements = 0;
  for (const TensorSpec& tensor : shape.tensors) elements += tensor.elements();
  return elements;
}

/// Running mean and variance of every batch norm.
std::int64_t statisticElements(const NetworkSpec& network, const NetworkShape& shape) {
  std::int64_t elements = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    if (network.layers[i].kind == LayerKind::batchNorm) elements += 2 * shape.outputs[i].channels;
  }
  return elements;
}

/// Values a sample that the layers keep from forward to backward, and the two gradients between layers.
std::int64_t activationElements(const NetworkSpec& network, const NetworkShape& shape) {
  std::int64_t kept = 0;
  std::int64_t widest = 0;
  for (std::size_t i = 0; i < network.layers.size(); ++i) {
    const LayerKind kind = network.layers[i].kind;
    const std::int64_t output = shape.outputs[i].elements();
    widest = std::max(widest, output);
    const bool inPlace = kind == LayerKind::flatten || (kind == LayerKind::relu && i > 0);
    if (!inPlace) kept += output;
    if (kind == LayerKind::maxPool) kept += output;
  }
  return kept + 2 * widest;
}

std::int64_t adasumElements(const RunPlan& plan, std::int64_t elements) {
  const BoostConfig& boost = plan.experiment.boost;
  if (!boost.adasum) return 0;
  const AdasumExchange exchange = boost.adasumOptions.exchange;
  const bool window = exchange == AdasumExchange::window || (exchange == AdasumExchange::automatic && plan.local);
  const bool deltas = boost.adasumOptions.mode == AdasumMode::deltas;
  const std::int64_t bucket = std::min(elements, plan.experiment.parallel.bucketBytes / valueBytes);
  return (window ? 0 : elements) + (deltas ? bucket : 0);
}

}  // namespace

MemoryForecast forecastMemory(const RunPlan& plan, const NetworkShape& shape, std::int64_t evaluationSamples) {
  const Experiment& experiment = plan.experiment;
  const std::int64_t elements = trainableElements(shape);
  return {
      {"weights", valueBytes * (elements + statisticElements(experiment.network, shape))},
      {"gradients", valueBytes * elements},
      {"optimizer_state", experiment.optimizer.momentum > 0 ? valueBytes * elements : 0},
      {"boost", valueBytes * adasumElements(plan, elements)},
      {"activations", valueBytes * experiment.dataset.batchSize * activationElements(experiment.network, shape)},
      {"data", (plan.trainSamples + evaluationSamples) * shape.input.elements()},
  };
}

}  // namespace slipstream
