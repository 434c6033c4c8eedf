// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/spec.h"

#include <algorithm>
#include <numeric>
#include <vector>

#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/sharding.h"
#include "engine/spec/bucket_sizes.h"

namespace slipstream {
namespace {

constexpr const char* subject = "parallel.optimizer_parallel";

std::string levelOf(const OptimizerParallelSpec& spec) {
  return fmt::format("level{}", static_cast<int>(spec.level));
}

bool combinesFlatDeltas(const BoostConfig& boost) {
  return combinesDeltas(boost) && boost.of<AdasumOptions>().scope == AdasumScope::flat;
}

/// What comes before optimizer_parallel in the order of the update's owners, where mode enable_all turned it on.
Text displacedBy(const BoostConfig& boost) {
  if (boost.mode != "enable_all") return {};
  if (boost.isOn("dim_reduce")) return phrase("mode enable_all turns dim_reduce on, which owns the update");
  if (combinesFlatDeltas(boost)) {
    return phrase("mode enable_all turns Adasum on, and flat deltas give every rank an optimizer state of its own");
  }
  return {};
}

Status checkOwners(const RunPlan& plan) {
  const BoostConfig& boost = plan.experiment.boost;
  const std::string level = levelOf(plan.experiment.parallel.optimizerParallel);
  if (boost.isOn("dim_reduce")) {
    return fail(subject, level, "cannot be on beside dim_reduce: both own the update of the weights",
                "remove it, or turn dim_reduce off");
  }
  if (combinesFlatDeltas(boost)) {
    return fail(subject, level, "cannot share optimizer state where flat Adasum of deltas gives every rank its own",
                "write \"mode\": \"gradients\" or \"scope\": \"servers\" in the dictionary's section adasum");
  }
  return {};
}

/// All ranks; where every server has deltas of its own, what divides each server.
int largestShardSize(const RunPlan& plan) {
  if (!combinesDeltas(plan.experiment.boost)) return plan.ranks();
  int size = 0;
  for (const int ranks : ranksOfServers(plan.places)) size = std::gcd(size, ranks);
  return size;
}

std::vector<int> divisorsOf(int number) {
  std::vector<int> divisors;
  for (int candidate = 1; candidate <= number; ++candidate) {
    if (number % candidate == 0) divisors.push_back(candidate);
  }
  return divisors;
}

Text cutParts(const Experiment& experiment) {
  Text parts = phrase("optimizer state");
  if (shardsGradients(experiment)) parts = phrase("{}, gradients", {parts});
  if (shardsWeights(experiment)) parts = phrase("{}, weights", {parts});
  const bool asked = experiment.parallel.optimizerParallel.level >= ShardingLevel::level2;
  if (!asked || shardsGradients(experiment)) return parts;
  return phrase("{} (gradients stay whole: Adasum combines whole ones)", {parts});
}

Status resolve(RunPlan& plan) {
  OptimizerParallelSpec& spec = plan.experiment.parallel.optimizerParallel;
  if (spec.level == ShardingLevel::off) return {};
  if (const Text why = displacedBy(plan.experiment.boost); !why.empty()) {
    spec.level = ShardingLevel::off;
    decide(plan, switchedOff(subject, Reason::displaced, why));
    return {};
  }
  SLIPSTREAM_CHECK(checkOwners(plan));
  const int most = largestShardSize(plan);
  const int size = spec.shardSize > 0 ? spec.shardSize : most;
  if (most % size != 0) {
    return fail(std::string(subject) + ".shard_size", std::to_string(size),
                most == plan.ranks() ? fmt::format("does not divide the {} ranks", most)
                                     : "does not divide the ranks of every server, which Adasum of deltas needs",
                fmt::format("use -1 or one of {}", fmt::join(divisorsOf(most), ", ")));
  }
  spec.shardSize = size;
  if (size > 1) return {};
  spec.level = ShardingLevel::off;
  if (plan.ranks() == 1) {
    decide(plan, switchedOff(subject, Reason::ranks, phrase("one rank has nobody to share with")));
  } else {
    decide(plan, noEffect(subject, "off", Reason::ranks, phrase("the shard of a group of one rank is the whole")));
  }
  return {};
}

Status resolveShape(RunPlan& plan, const NetworkShape& shape) {
  const ParallelSpec& parallel = plan.experiment.parallel;
  const OptimizerParallelSpec& spec = parallel.optimizerParallel;
  if (spec.level == ShardingLevel::off) return {};
  const ShardingSummary summary = summarize(shape, shardingOf(parallel));
  if (summary.cutTensors == 0) {
    plan.experiment.parallel.optimizerParallel.level = ShardingLevel::off;
    decide(plan, switchedOff(subject, Reason::network,
                             phrase("no tensor is as large as its threshold of {} KB",
                                    {std::to_string(spec.thresholdKilobytes)})));
    return {};
  }
  const int groups = plan.ranks() / spec.shardSize;
  decide(
      plan,
      adjusted(
          subject, levelOf(spec), Reason::written,
          phrase("{} {} cut into {} shards{}: {}; {} smaller than {} KB {} whole on every rank; {} of padding a "
                 "group and copy",
                 {countedText(summary.cutTensors, "tensor"), summary.cutTensors == 1 ? phrase("is") : phrase("are"),
                  std::to_string(spec.shardSize),
                  groups == 1 ? Text() : phrase(" in each of {} groups", {std::to_string(groups)}),
                  cutParts(plan.experiment), std::to_string(summary.wholeTensors),
                  std::to_string(spec.thresholdKilobytes), summary.wholeTensors == 1 ? phrase("stays") : phrase("stay"),
                  countedText(4 * summary.padding, "byte")})));
  return {};
}

/// What a rank receives of shards that are sent. Of Adasum's modes only deltas sum shards, inside the largest server.
std::int64_t receivedForShards(const RunPlan& plan, const NetworkShape& shape, const std::vector<int>& sentTogether) {
  const BoostConfig& boost = plan.experiment.boost;
  const Sharding sharding = shardingOf(plan.experiment.parallel);
  if (!boost.isOn<AdasumOptions>()) {
    const HostLayout hosts = exchangeHosts(plan);
    constexpr std::int64_t buffers = 2;
    if (!hosts.oneHost())
      return buffers * receivedElements(shape, sharding, sentTogether, plan.ranks(), hosts.hosts() - 1);
    return exchangesInSharedMemory(plan) ? 0 : receivedElements(shape, sharding, sentTogether, plan.ranks());
  }
  const AdasumExchange asked = boost.of<AdasumOptions>().exchange;
  const bool wantsSharedMemory = asked == AdasumExchange::automatic || asked == AdasumExchange::window;
  if (!combinesDeltas(boost) || (exchangesInSharedMemory(plan) && wantsSharedMemory)) return 0;
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

void addMemory(const RunPlan& plan, const NetworkShape& shape, MemoryForecast& forecast) {
  constexpr std::int64_t valueBytes = 4;
  forecast["gather"] += valueBytes * gatherElements(plan, shape);
}

}  // namespace

AlgorithmSpec OptimizerParallelAlgorithm::spec() {
  return {.key = "optimizer_parallel",
          .title = "Optimizer parallel",
          .summary = "ranks keep shards of optimizer state, gradients and weights",
          .slot = "update",
          .resolve = resolve,
          .resolveShape = resolveShape,
          .addMemory = addMemory};
}

}  // namespace slipstream
