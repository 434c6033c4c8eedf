// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/forecast.h"

#include <algorithm>

#include "engine/plan/adasum_memory.h"
#include "engine/plan/bucket_sizes.h"
#include "engine/plan/centralized_tensors.h"
#include "engine/plan/network_memory.h"
#include "engine/plan/placement.h"
#include "engine/plan/sharding.h"

namespace slipstream {
namespace {

constexpr std::int64_t valueBytes = 4;
constexpr std::int64_t sumBytes = 8;

/// Forecasts of what no machine could hold stay numbers that add up.
std::int64_t saturated(double bytes) {
  return static_cast<std::int64_t>(std::min(bytes, 0x1p59));
}

/// What a rank receives of shards that are sent. Of Adasum's modes only deltas sum shards, inside the largest server.
std::int64_t receivedForShards(const RunPlan& plan, const NetworkShape& shape, const std::vector<int>& sentTogether) {
  const BoostConfig& boost = plan.experiment.boost;
  const Sharding sharding = shardingOf(plan.experiment.parallel);
  if (!boost.adasum)
    return exchangesInSharedMemory(plan) ? 0 : receivedElements(shape, sharding, sentTogether, plan.ranks());
  const AdasumExchange asked = boost.adasumOptions.exchange;
  const bool wantsWindow = asked == AdasumExchange::automatic || asked == AdasumExchange::window;
  if (boost.adasumOptions.mode == AdasumMode::gradients || (exchangesInSharedMemory(plan) && wantsWindow)) return 0;
  const auto counts = ranksOfServers(plan.places);
  return receivedElements(shape, sharding, sentTogether, *std::ranges::max_element(counts));
}

/// Buffers that shards pass through.
std::int64_t gatherElements(const RunPlan& plan, const NetworkShape& shape) {
  const Experiment& experiment = plan.experiment;
  if (experiment.parallel.optimizerParallel.level == ShardingLevel::off) return 0;
  std::int64_t elements = shardsWeights(experiment) ? largestLayer(shape) : 0;
  std::vector<int> sentTogether;
  if (shardsGradients(experiment)) {
    const auto units = gradientUnits(shape);
    for (const GradientUnit& unit : units) sentTogether.push_back(unit.tensors);
    for (const std::int64_t slot : gradientSlots(units, experiment.parallel.overlap)) elements += slot;
  } else {
    for (const BucketSize& bucket : bucketSizes(experiment.parallel, shape)) sentTogether.push_back(bucket.tensors);
  }
  return elements + receivedForShards(plan, shape, sentTogether);
}

/// Of rank 0: its columns of the projection and of what the ranks gather, and for a line search the weights to go back
/// to and the residual's momentum.
std::int64_t dimReduceElements(const RunPlan& plan, std::int64_t elements) {
  const BoostConfig& boost = plan.experiment.boost;
  if (!boost.dimReduce) return 0;
  constexpr std::int64_t cacheLine = 16;
  const std::int64_t share = (elements + plan.ranks() - 1) / plan.ranks();
  const std::int64_t width = (share + cacheLine - 1) / cacheLine * cacheLine;
  const std::int64_t gathered = plan.ranks() > 1 && exchangesInSharedMemory(plan) ? 2 * width : width;
  const bool searches = boost.dimReduceMethod == DimReduceMethod::bfgs;
  return boost.nComponents * width + gathered + (searches ? elements + std::min(width, elements) : 0);
}

std::int64_t dataBytes(const RunPlan& plan, std::int64_t elements, std::int64_t evaluationSamples) {
  const Experiment& experiment = plan.experiment;
  const DatasetSpec& dataset = experiment.dataset;
  const std::int64_t kept = dataset.name == "image_folder" ? 0 : plan.trainSamples + evaluationSamples;
  const double batch = static_cast<double>(dataset.batchSize) * batchesPerStep(experiment) +
                       static_cast<double>(samplesPerPass(experiment));
  const double samples = static_cast<double>(kept) + batch * static_cast<double>(1 + dataset.prefetchBatches);
  return saturated(static_cast<double>(elements) * samples);
}

}  // namespace

std::int64_t activationBytes(const Experiment& experiment, const NetworkShape& shape) {
  const std::int64_t outputGradient = valueBytes * shape.outputs.back().elements();
  const bool gpu = computesOnGpu(experiment);
  const std::int64_t sample = (valueBytes + (gpu ? 1 : 0)) * shape.input.elements();
  const NetworkMemory memory =
      planMemory(experiment.network, shape, pictureType(experiment), gpu ? convolutionsOfGpus : Convolutions::plain);
  return saturated(static_cast<double>(samplesPerPass(experiment)) *
                   static_cast<double>(memory.bytes() + outputGradient + sample));
}

std::int64_t lossScaleFlags(const LossScaleSpec& spec, const OptimizerSpec& optimizer) {
  if (spec.kind == LossScaleKind::none) return 0;
  return spec.kind == LossScaleKind::group ? std::ssize(optimizer.groups) + 1 : 1;
}

MemoryForecast forecastMemory(const RunPlan& plan, const NetworkShape& shape, std::int64_t evaluationSamples) {
  const Experiment& experiment = plan.experiment;
  const std::int64_t elements = shape.weights();
  const bool sharded = experiment.parallel.optimizerParallel.level != ShardingLevel::off;
  const std::int64_t kept = sharded ? summarize(shape, shardingOf(experiment.parallel)).kept : elements;
  const std::int64_t weights = shardsWeights(experiment) ? kept : elements;
  const bool optimizes = !experiment.boost.dimReduce;
  return {
      {"weights", valueBytes * (weights + runningStatistics(experiment.network, shape))},
      {"gradients", valueBytes * (shardsGradients(experiment) ? kept : elements)},
      {"optimizer_state", optimizes && experiment.optimizer.momentum > 0 ? valueBytes * kept : 0},
      {"gather", valueBytes * gatherElements(plan, shape)},
      {"boost", adasumBytes(plan, shape) + sumBytes * centralizedRows(experiment, shape.tensors) +
                    valueBytes * (dimReduceElements(plan, elements) +
                                  lossScaleFlags(experiment.lossScale, experiment.optimizer))},
      {"activations", activationBytes(experiment, shape)},
      {"data", dataBytes(plan, shape.input.elements(), evaluationSamples)},
  };
}

}  // namespace slipstream
