// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/plan/forecast.h"

#include <algorithm>

#include "engine/boost/algorithms.h"
#include "engine/boost/sharding.h"
#include "engine/plan/network_memory.h"
#include "engine/plan/placement.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {
namespace {

constexpr std::int64_t valueBytes = 4;
/// What a GPU's queue keeps at least, for tables that its kernels read and for sums that they leave each other.
constexpr std::int64_t kernelScratch = std::int64_t{2} << 20;

/// Forecasts of what no machine could hold stay numbers that add up.
std::int64_t saturated(double bytes) {
  return static_cast<std::int64_t>(std::min(bytes, 0x1p59));
}

std::int64_t dataBytes(const RunPlan& plan, std::int64_t elements, std::int64_t evaluationSamples) {
  const Experiment& experiment = plan.experiment;
  const DatasetSpec& dataset = experiment.dataset;
  if (kindOf(dataset).ofProgram) return 0;
  const std::int64_t kept = kindOf(dataset).imageFiles ? 0 : plan.trainSamples + evaluationSamples;
  const double batch = static_cast<double>(dataset.batchSize) * batchesPerStep(experiment) +
                       static_cast<double>(samplesPerPass(experiment));
  const double samples = static_cast<double>(kept) + batch * static_cast<double>(1 + dataset.prefetchBatches);
  const double sampleBytes = static_cast<double>(elements) * (dataset.own.floats ? valueBytes : 1);
  return saturated(sampleBytes * samples);
}

/// A program has all weights and gradients at one place, beside what of them is in shards.
void keepWhole(const Experiment& experiment, std::int64_t bytes, MemoryForecast& forecast) {
  if (shardsWeights(experiment)) forecast["gather"] += bytes;
  if (shardsGradients(experiment)) forecast["gradients"] += bytes;
}

}  // namespace

std::int64_t activationBytes(const Experiment& experiment, const NetworkShape& shape) {
  if (experiment.network.isProgram()) return 0;
  const std::int64_t outputGradient = valueBytes * shape.outputs.back().elements();
  const DeviceKind& device = deviceKindOf(experiment);
  const std::int64_t sample = (valueBytes + (device.ownMemory ? 1 : 0)) * shape.input.elements();
  const NetworkMemory memory = planMemory(experiment.network, shape, imageType(experiment),
                                          device.fusesConvolutions ? convolutionsOfGpus : Convolutions::plain);
  return saturated(static_cast<double>(samplesPerPass(experiment)) *
                   static_cast<double>(memory.bytes() + outputGradient + sample));
}

MemoryForecast forecastMemory(const RunPlan& plan, const NetworkShape& shape, std::int64_t evaluationSamples) {
  const Experiment& experiment = plan.experiment;
  const std::int64_t elements = shape.weights();
  const bool sharded = experiment.parallel.optimizerParallel.level != ShardingLevel::off;
  const std::int64_t kept = sharded ? summarize(shape, shardingOf(experiment.parallel)).kept : elements;
  const std::int64_t weights = shardsWeights(experiment) ? kept : elements;
  const bool optimizes = !experiment.boost.isOn("dim_reduce");
  MemoryForecast forecast{
      {"weights", valueBytes * (weights + runningStatistics(experiment.network, shape))},
      {"gradients", valueBytes * (shardsGradients(experiment) ? kept : elements)},
      {"optimizer_state", optimizes ? valueBytes * kept * std::ssize(stateNames(experiment.optimizer)) : 0},
      {"gather", 0},
      {"boost", (deviceKindOf(experiment).ownMemory ? kernelScratch : 0) +
                    (experiment.train.averageDecay ? valueBytes * (weights + averageStagingElements) : 0)},
      {"activations", activationBytes(experiment, shape)},
      {"data", dataBytes(plan, shape.input.elements(), evaluationSamples)},
  };
  if (experiment.network.isProgram()) keepWhole(experiment, valueBytes * elements, forecast);
  for (const AlgorithmSpec& algorithm : algorithms()) {
    if (algorithm.addMemory) algorithm.addMemory(plan, shape, forecast);
  }
  return forecast;
}

}  // namespace slipstream
