// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_parallel/sharded_update.h"

#include <algorithm>
#include <utility>

#include "engine/boost/optimizer_parallel/spec.h"
#include "engine/boost/sharding.h"

namespace slipstream {
namespace {

/// Layers wait for their weights while gradients are under way: that was no computing. How much of the gathering fell
/// there is not known, so all of it is taken off what was hidden.
void addGathering(CommunicationTime& time, double seconds) {
  time.exposed += seconds;
  time.hidden = std::max(0.0, time.hidden - seconds);
}

}  // namespace

ShardedUpdate::ShardedUpdate(const UpdateContext& parts)
    : layout_(parts.layout),
      buckets_(parts.buckets),
      sharding_(shardingOf(parts.experiment.parallel)),
      map_(parts.layout, sharding_, parts.communicator.rank(), parts.communicator.size()),
      weightsAreWhole_(!shardsWeights(parts.experiment)),
      memory_(parts.communicator, parts.hosts, parts.device,
              weightsAreWhole_ ? parts.layout.size() : map_.local().size(), MemoryCategory::weights, true),
      whole_(memory_.own()),
      gathered_(weightsAreWhole_ ? nullptr
                                 : std::make_unique<GatheredWeights>(parts.communicator, map_, memory_, parts.device,
                                                                     parts.kernels.of<VectorKernels>())),
      spread_(parts.communicator, map_, memory_.ofHost().empty() ? std::vector{memory_.own()} : memory_.ofHost(),
              memory_.hosts(), weightsAreWhole_, parts.device.queue(), parts.kernels.of<VectorKernels>()),
      optimizer_(
          parts, map_.local(), {0, map_.local().size()},
          {&parts.communicator, [this](std::size_t tensor) { return map_.isFirstHolder(static_cast<int>(tensor)); }}),
      centralization_(parts),
      sharers_(parts.communicator) {}

ParameterStore& ShardedUpdate::weights() {
  if (gathered_) return *gathered_;
  return whole_;
}

void ShardedUpdate::begin(const StepPlan& plan) {
  trained_ = layout_.rangeFromLayer(plan.firstTrainedLayer);
  gradients_->start(trained_.end);
  if (gathered_) gathered_->takeSeconds();
}

StepOutcome ShardedUpdate::finish(StepContext& context) {
  StepOutcome outcome;
  outcome.communication = gradients_->finish();
  if (gathered_) addGathering(outcome.communication, gathered_->takeSeconds());
  outcome.overflow = context.overflowVote();
  if (outcome.overflow) return outcome;
  if (centralization_.acts()) centralize(outcome);
  const Stopwatch watch;
  const double measuring = optimizer_.prepare(rangesOf(0, trainedTensors()), context, outcome);
  CommunicationTime exchanging = stepAll(context);
  exchanging.exposed += measuring;
  outcome.updateSeconds = watch.seconds() - exchanging.exposed;
  outcome.communication += exchanging;
  gradients_->record(trained_, outcome);
  outcome.updated = true;
  return outcome;
}

void ShardedUpdate::centralize(StepOutcome& outcome) {
  const Stopwatch watch;
  std::vector<GradientPart> parts;
  forTrained([&](int tensor) {
    const std::int64_t offset =
        map_.mine(tensor).begin - layout_.tensors()[static_cast<std::size_t>(tensor)].range.begin;
    parts.push_back({tensor, offset, gradientsOf(tensor), weightsOf(tensor), map_.holders(tensor)});
  });
  const double exchanging = centralization_.apply(parts, sharers_);
  outcome.communication.exposed += exchanging;
  outcome.centralizationSeconds = watch.seconds() - exchanging;
}

std::vector<StateTensor> ShardedUpdate::state() {
  const auto partsOf = [this](int shard, int shards) {
    const ShardMap map(layout_, {shards, sharding_.thresholdBytes}, shard, shards);
    std::vector<RankShare> parts;
    for (int tensor = 0; tensor < static_cast<int>(layout_.tensors().size()); ++tensor) {
      parts.push_back({map.mine(tensor), map.localStart(tensor)});
    }
    return parts;
  };
  return optimizer_.state(true, {sharding_.shards, partsOf});
}

std::vector<StepRange> ShardedUpdate::rangesOf(int first, int end) const {
  std::vector<StepRange> ranges;
  for (int tensor = first; tensor < end; ++tensor) {
    const std::int64_t local = map_.localStart(tensor);
    ranges.push_back({{local, local + map_.mine(tensor).size()}, weightsOf(tensor), gradientsOf(tensor)});
  }
  return ranges;
}

void ShardedUpdate::optimize(int tensor, std::span<float> weights, const StepContext& context) {
  StepRange part = rangesOf(tensor, tensor + 1).front();
  part.weights = weights;
  optimizer_.step(std::span(&part, 1), context);
}

std::span<float> ShardedUpdate::weightsOf(int tensor) const {
  return ShardedValues{memory_.own(), weightsAreWhole_}.at(map_, tensor, map_.mine(tensor));
}

}  // namespace slipstream
