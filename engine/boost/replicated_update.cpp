#include "engine/boost/replicated_update.h"

namespace slipstream {

ReplicatedUpdate::ReplicatedUpdate(const UpdateParts& parts, bool shareGradients)
    : layout_(parts.layout),
      buckets_(parts.buckets),
      device_(parts.device),
      memory_(parts.communicator, parts.device, parts.layout.size(), MemoryCategory::gradients, shareGradients),
      overlap_(parts.experiment.parallel.overlap),
      weights_(parts.device, parts.layout.size(), MemoryCategory::weights),
      gradients_(memory_.own()),
      optimizer_(makeOptimizer(parts.experiment.optimizer, parts.layout, {0, parts.layout.size()}, parts.stepsPerEpoch,
                               parts.totalSteps, parts.device)),
      schedule_({}, nullptr, overlap_) {}

void ReplicatedUpdate::exchangeThrough(BucketExchange* exchange) {
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
  outcome.communicationSeconds = schedule_.finish();
  outcome.overflow = context.overflowVote();
  if (outcome.overflow) return outcome;
  update(context, trained_, outcome);
  outcome.updated = true;
  return outcome;
}

std::vector<StateTensor> ReplicatedUpdate::state() {
  if (optimizer_->state().empty()) return {};
  return {{"momentum", optimizer_->state(), optimizerDiffersByRank()}};
}

void ReplicatedUpdate::optimize(Range range, std::span<float> weights, const StepContext& context) {
  optimizer_->update(range, weights, gradientsOf(range), context.updatesDone());
}

std::span<float> ReplicatedUpdate::gradientsOf(Range range) const {
  return memory_.own().subspan(static_cast<std::size_t>(range.begin), static_cast<std::size_t>(range.size()));
}

}  // namespace slipstream
