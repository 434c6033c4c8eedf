// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <set>

#include "engine/boost/adasum/spec.h"
#include "engine/boost/sharding.h"
#include "engine/spec/bucket_sizes.h"

namespace slipstream {
namespace {

constexpr int mostGramLeaves = 16;
constexpr std::int64_t valueBytes = 4;
constexpr std::int64_t sumBytes = 8;
constexpr std::int64_t lineElements = 64 / valueBytes;

int leavesOf(const RunPlan& plan) {
  if (plan.experiment.boost.of<AdasumOptions>().scope == AdasumScope::flat) return plan.ranks();
  std::set<int> servers;
  for (const RankPlacement& place : plan.places) servers.insert(place.server);
  const bool automatic = plan.experiment.boost.of<AdasumOptions>().scope == AdasumScope::automatic;
  return automatic && servers.size() == 1 ? plan.ranks() : static_cast<int>(servers.size());
}

std::vector<BucketSize> roundsOf(const std::vector<BucketSize>& buckets, int leaves) {
  const std::int64_t most = adasumRoundBytes / valueBytes * leaves;
  std::vector<BucketSize> rounds;
  for (const BucketSize& bucket : buckets) {
    if (rounds.empty() || rounds.back().elements + bucket.elements > most) {
      rounds.push_back(bucket);
    } else {
      rounds.back().tensors += bucket.tensors;
      rounds.back().elements += bucket.elements;
    }
  }
  return rounds;
}

/// Of `parts` nearly equal slices, cut at cache lines; `begin` is the round's place in the flat space.
std::int64_t largestSlice(std::int64_t begin, std::int64_t elements, int parts) {
  std::int64_t largest = 0;
  std::int64_t from = begin;
  for (int part = 1; part <= parts; ++part) {
    const std::int64_t exact = begin + elements * part / parts;
    const std::int64_t line = (exact + lineElements / 2) / lineElements * lineElements;
    const std::int64_t to = part == parts ? begin + elements : std::clamp(line, begin, begin + elements);
    largest = std::max(largest, to - from);
    from = to;
  }
  return largest;
}

std::int64_t gramBytes(const std::vector<BucketSize>& rounds, int leaves) {
  std::int64_t slice = 0;
  std::int64_t tensors = 0;
  std::int64_t begin = 0;
  for (const BucketSize& round : rounds) {
    slice = std::max(slice, largestSlice(begin, round.elements, leaves));
    tensors = std::max<std::int64_t>(tensors, round.tensors);
    begin += round.elements;
  }
  const std::int64_t sums = 2 * tensors * leaves * (leaves + 1) / 2;
  return valueBytes * slice * (leaves - 1) + sumBytes * sums * (1 + leaves);
}

std::int64_t exchangeBytes(const RunPlan& plan, const std::vector<BucketSize>& buckets, int leaves) {
  const AdasumExchange exchange =
      chooseExchange(plan.experiment.boost.of<AdasumOptions>().exchange, exchangesInSharedMemory(plan), leaves);
  if (exchange == AdasumExchange::window) {
    std::int64_t tensors = 0;
    for (const BucketSize& bucket : buckets) tensors += bucket.tensors;
    return sumBytes * 3 * tensors * leaves * (leaves + 1) / 2;
  }
  const auto rounds = roundsOf(buckets, leaves);
  if (exchange == AdasumExchange::gram) return gramBytes(rounds, leaves);
  const std::int64_t largest = largestBucket(rounds);
  return valueBytes * (largest - largest / 2);
}

std::int64_t copiedElements(const Experiment& experiment, const NetworkShape& shape,
                            const std::vector<BucketSize>& buckets) {
  if (experiment.boost.of<AdasumOptions>().mode != AdasumMode::deltas) return 0;
  if (experiment.parallel.optimizerParallel.level == ShardingLevel::off) return largestBucket(buckets);
  const Sharding sharding = shardingOf(experiment.parallel);
  std::int64_t largest = 0;
  for (const TensorSpec& tensor : shape.tensors) largest = std::max(largest, sharding.kept(tensor.elements()));
  return largest;
}

}  // namespace

AdasumExchange chooseExchange(AdasumExchange asked, bool sharedMemory, int leaves) {
  if (asked != AdasumExchange::automatic) return asked;
  if (sharedMemory) return AdasumExchange::window;
  return leaves <= mostGramLeaves ? AdasumExchange::gram : AdasumExchange::halving;
}

std::int64_t adasumBytes(const RunPlan& plan, const NetworkShape& shape) {
  if (!plan.experiment.boost.isOn<AdasumOptions>()) return 0;
  const int leaves = leavesOf(plan);
  if (leaves == 1) return 0;
  const auto buckets = bucketSizes(plan.experiment.parallel, shape);
  return exchangeBytes(plan, buckets, leaves) + valueBytes * copiedElements(plan.experiment, shape, buckets);
}

}  // namespace slipstream
