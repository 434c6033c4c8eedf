#include "engine/plan/forecast.h"

#include <algorithm>

#include "engine/plan/network_memory.h"
#include "engine/plan/sharding.h"

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

/// Tensors of each bucket: the rules of nn's bucketsBySize and bucketsByIndex.
std::vector<int> bucketTensors(const ParallelSpec& parallel, const NetworkShape& shape) {
  std::vector<int> counts;
  std::int64_t room = 0;
  for (std::size_t t = shape.tensors.size(); t-- > 0;) {
    const std::vector<int>& last = parallel.allReduceFusion;
    const std::int64_t elements = shape.tensors[t].elements();
    const bool starts = last.empty() ? elements > room : std::ranges::count(last, static_cast<int>(t)) > 0;
    if (counts.empty() || starts) {
      counts.push_back(0);
      room = parallel.bucketBytes / valueBytes;
    }
    ++counts.back();
    room -= elements;
  }
  return counts;
}

std::int64_t largestBucket(const ParallelSpec& parallel, const NetworkShape& shape) {
  std::int64_t largest = 0;
  std::size_t tensor = shape.tensors.size();
  for (const int count : bucketTensors(parallel, shape)) {
    std::int64_t elements = 0;
    for (int i = 0; i < count; ++i) elements += shape.tensors[--tensor].elements();
    largest = std::max(largest, elements);
  }
  return largest;
}

std::int64_t adasumElements(const RunPlan& plan, const NetworkShape& shape, std::int64_t elements) {
  const BoostConfig& boost = plan.experiment.boost;
  if (!boost.adasum) return 0;
  const AdasumExchange exchange = boost.adasumOptions.exchange;
  const bool window = exchange == AdasumExchange::window || (exchange == AdasumExchange::automatic && plan.local);
  const bool deltas = boost.adasumOptions.mode == AdasumMode::deltas;
  // Deltas copy a bucket of weights; sharded ones no more than that.
  return (window ? 0 : elements) + (deltas ? largestBucket(plan.experiment.parallel, shape) : 0);
}

/// Buffers that shards pass through.
std::int64_t gatherElements(const RunPlan& plan, const NetworkShape& shape) {
  const Experiment& experiment = plan.experiment;
  if (experiment.parallel.optimizerParallel.level == ShardingLevel::off) return 0;
  const Sharding sharding = shardingOf(experiment.parallel);
  std::int64_t elements = shardsWeights(experiment) ? largestLayer(shape) : 0;
  std::vector<int> sentTogether = bucketTensors(experiment.parallel, shape);
  if (shardsGradients(experiment)) {
    const auto units = gradientUnits(shape);
    sentTogether.clear();
    for (const GradientUnit& unit : units) sentTogether.push_back(unit.tensors);
    for (const std::int64_t slot : gradientSlots(units, experiment.parallel.overlap)) elements += slot;
  }
  if (plan.local || experiment.boost.adasum) return elements;
  return elements + receivedElements(shape, sharding, sentTogether, plan.ranks());
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
  const bool sharded = experiment.parallel.optimizerParallel.level != ShardingLevel::off;
  const std::int64_t kept = sharded ? summarize(shape, shardingOf(experiment.parallel)).kept : elements;
  const std::int64_t weights = shardsWeights(experiment) ? kept : elements;
  const bool optimizes = !experiment.boost.dimReduce;
  return {
      {"weights", valueBytes * (weights + statisticElements(experiment.network, shape))},
      {"gradients", valueBytes * (shardsGradients(experiment) ? kept : elements)},
      {"optimizer_state", optimizes && experiment.optimizer.momentum > 0 ? valueBytes * kept : 0},
      {"gather", valueBytes * gatherElements(plan, shape)},
      {"boost", valueBytes * (adasumElements(plan, shape, elements) + dimReduceElements(plan, elements))},
      {"activations", valueBytes * samplesPerPass(experiment) * activationElements(experiment.network, shape)},
      {"data", (plan.trainSamples + evaluationSamples) * shape.input.elements()},
  };
}

}  // namespace slipstream
