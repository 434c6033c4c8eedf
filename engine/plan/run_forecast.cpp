// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "engine/boost/algorithms.h"
#include "engine/experiment/experiment_check.h"
#include "engine/plan/forecast.h"
#include "engine/plan/placement.h"
#include "engine/probe/dataset_kind.h"

namespace slipstream {
namespace {

constexpr std::int64_t valueBytes = 4;

/// How often the trainable weights go over the wire in a step, but for the share that stays at home.
std::int64_t passes(const Experiment& experiment) {
  if (experiment.boost.isOn<DimReduceOptions>()) {
    return experiment.boost.of<DimReduceOptions>().method == DimReduceMethod::bfgs ? 4 : 3;
  }
  const std::int64_t parts = experiment.train.microSize;
  switch (experiment.parallel.optimizerParallel.level) {
    case ShardingLevel::off:
    case ShardingLevel::level1:
      return 2;
    case ShardingLevel::level2:
      return parts + 1;
    case ShardingLevel::level3:
      return 3 * parts;
  }
  return 2;
}

std::int64_t frozenSteps(const BoostConfig& boost, std::int64_t updates) {
  const auto& freeze = boost.of<GradFreezeOptions>();
  if (!boost.isOn<GradFreezeOptions>() || freeze.paramGroups < 2) return 0;
  if (freeze.freezeType == 1) return std::llround((1 - freeze.freezeP) * static_cast<double>(updates));
  const std::int64_t full = freezeFullSteps(freeze.freezeP, freeze.paramGroups);
  const std::int64_t cycle = full + freeze.paramGroups - 1;
  return updates / cycle * (freeze.paramGroups - 1) + std::max<std::int64_t>(0, updates % cycle - full);
}

/// Vectors of optimizer state that differ: the optimizer's, or as many a leaf of Adasum's deltas.
std::int64_t optimizers(const RunPlan& plan, const Experiment& experiment) {
  const BoostConfig& boost = experiment.boost;
  if (boost.isOn<DimReduceOptions>()) return 0;
  const std::int64_t vectors = std::ssize(stateNames(experiment.optimizer));
  if (!combinesDeltas(boost)) return vectors;
  const bool perServer = boost.of<AdasumOptions>().scope == AdasumScope::servers;
  return vectors * (perServer ? std::ssize(ranksOfServers(plan.places)) : plan.ranks());
}

std::int64_t checkpoints(const CheckpointSpec& spec, std::int64_t steps) {
  const std::int64_t onTheWay = spec.everySteps > 0 ? steps / spec.everySteps : 0;
  const bool endIsOne = spec.everySteps > 0 && steps % spec.everySteps == 0;
  return std::min(spec.keep, onTheWay + (spec.atEnd && !endIsOne ? 1 : 0));
}

}  // namespace

RunForecast forecastRun(const RunPlan& plan, const StagePlan& stage) {
  const Experiment& experiment = stage.experiment;
  const auto shape = networkShape(experiment.network, sampleShape(experiment.dataset));
  const std::int64_t weights = shape ? shape->weights() : 0;
  const std::int64_t statistics = shape ? runningStatistics(experiment.network, *shape) : 0;
  RunForecast forecast;
  forecast.steps = stage.endStep - stage.firstStep;
  forecast.frozenSteps = frozenSteps(experiment.boost, stage.updates());
  const std::int64_t sent = passes(experiment) * valueBytes * weights * (plan.ranks() - 1) / std::max(1, plan.ranks());
  forecast.trafficPerStep = stage.updates() > 0 ? sent : 0;
  const std::int64_t copies = experiment.train.averageDecay ? 2 : 1;
  const bool weightsOnly = experiment.train.checkpoint.weightsOnly;
  const std::int64_t tensors = weightsOnly ? 1 : copies + optimizers(plan, experiment);
  forecast.checkpointBytes = valueBytes * (tensors * weights + statistics);
  forecast.checkpointsKept = checkpoints(experiment.train.checkpoint, forecast.steps);
  return forecast;
}

}  // namespace slipstream
