#include "engine/plan/forecast.h"

#include <algorithm>

#include "engine/plan/network_memory.h"

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

/// Values a sample.
std::int64_t activationElements(const NetworkSpec& network, const NetworkShape& shape) {
  const NetworkMemory memory = planMemory(network, shape);
  std::int64_t elements = memory.places;
  for (const std::int64_t block : memory.outputBlocks) elements += block;
  for (const std::int64_t block : memory.gradientBlocks) elements += block;
  return elements;
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

/// Of rank 0: its columns of the projection and of what the ranks gather, and for a line search the weights to go back
/// to and the residual's momentum.
std::int64_t dimReduceElements(const RunPlan& plan, std::int64_t elements) {
  const BoostConfig& boost = plan.experiment.boost;
  if (!boost.dimReduce) return 0;
  constexpr std::int64_t cacheLine = 16;
  const std::int64_t share = (elements + plan.ranks() - 1) / plan.ranks();
  const std::int64_t width = (share + cacheLine - 1) / cacheLine * cacheLine;
  const std::int64_t gathered = plan.ranks() > 1 && plan.local ? 2 * width : width;
  const bool searches = boost.dimReduceMethod == DimReduceMethod::bfgs;
  return boost.nComponents * width + gathered + (searches ? elements + std::min(width, elements) : 0);
}

}  // namespace

MemoryForecast forecastMemory(const RunPlan& plan, const NetworkShape& shape, std::int64_t evaluationSamples) {
  const Experiment& experiment = plan.experiment;
  const std::int64_t elements = trainableElements(shape);
  const bool optimizes = !experiment.boost.dimReduce;
  return {
      {"weights", valueBytes * (elements + statisticElements(experiment.network, shape))},
      {"gradients", valueBytes * elements},
      {"optimizer_state", optimizes && experiment.optimizer.momentum > 0 ? valueBytes * elements : 0},
      {"boost", valueBytes * (adasumElements(plan, elements) + dimReduceElements(plan, elements))},
      {"activations", valueBytes * experiment.dataset.batchSize * activationElements(experiment.network, shape)},
      {"data", (plan.trainSamples + evaluationSamples) * shape.input.elements()},
  };
}

}  // namespace slipstream
