// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/replicated_update.h"

#include "engine/boost/averaged/bucket_sum.h"

namespace slipstream {

ReplicatedUpdate::ReplicatedUpdate(const UpdateContext& parts, bool shareGradients)
    : layout_(parts.layout),
      buckets_(parts.buckets),
      device_(parts.device),
      memory_(parts.communicator, parts.hosts, parts.device, parts.layout.size(), MemoryCategory::gradients,
              shareGradients),
      overlap_(parts.experiment.parallel.overlap),
      weights_(parts.device, parts.layout.size(), MemoryCategory::weights),
      gradients_(memory_.own()),
      schedule_({}, nullptr, overlap_),
      centralization_(parts) {}

void ReplicatedUpdate::exchangeThrough(BucketExchange* exchange) {
  exchange_ = exchange;
  schedule_ = BucketSchedule(buckets_, exchange, overlap_);
}

void ReplicatedUpdate::begin(const StepPlan& plan) {
  trained_ = layout_.rangeFromLayer(plan.firstTrainedLayer);
  schedule_.start(trained_.end);
}

void ReplicatedUpdate::gradientReady(Range range, int, bool isLast) {
  if (isLast) schedule_.ready(range);
}

StepOutcome ReplicatedUpdate::finish(StepContext& context) {
  StepOutcome outcome;
  outcome.communication = schedule_.finish();
  outcome.overflow = context.overflowVote();
  if (outcome.overflow) return outcome;
  if (centralization_.acts()) {
    const Stopwatch centralizing;
    centralization_.apply(trained_, gradientsOf(trained_), weightsOf(trained_));
    outcome.centralizationSeconds = centralizing.seconds();
  }
  const auto exchanged = [&] { return outcome.communication.exposed + context.exchangeSeconds(); };
  const double before = exchanged();
  const Stopwatch watch;
  outcome.updated = update(context, outcome);
  outcome.updateSeconds = watch.seconds() - (exchanged() - before);
  return outcome;
}

std::string ReplicatedUpdate::exchange() const {
  return exchange_ == nullptr ? "none" : nameOfSum(memory_);
}

std::span<float> ReplicatedUpdate::gradientsOf(Range range) const {
  return memory_.own().subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
}

}  // namespace slipstream
