// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/optimizer_update.h"

#include <algorithm>

#include "engine/boost/slices.h"

namespace slipstream {

OptimizerUpdate::OptimizerUpdate(const UpdateContext& parts, const ExchangeMaker& maker)
    : ReplicatedUpdate(parts, maker.sharesMemory),
      vectors_(parts.kernels.of<VectorKernels>()),
      optimizer_(parts, parts.layout, {0, parts.layout.size()}),
      exchange_(maker.make(parts, memory_)) {
  exchangeThrough(exchange_->ofGradients());
  if (exchange_->ofSteps() == nullptr) return;
  std::int64_t largest = 0;
  for (const Bucket& bucket : buckets_) largest = std::max(largest, bucket.range.size());
  stepped_ = device_.allocate(static_cast<std::size_t>(largest) * sizeof(float), MemoryCategory::boost);
}

UpdateTraits OptimizerUpdate::traits() const {
  UpdateTraits traits = ReplicatedUpdate::traits();
  traits.addsGradients = exchange_->addsGradients();
  return traits;
}

bool OptimizerUpdate::update(StepContext& context, StepOutcome& outcome) {
  const StepRange all = rangeOf(trained());
  outcome.communication.exposed += optimizer_.prepare(std::span(&all, 1), context, outcome);
  if (exchange_->ofSteps() != nullptr) {
    outcome.communication += combineSteps(context);
  } else {
    optimizer_.step(std::span(&all, 1), context);
  }
  exchange_->record(trained(), outcome);
  return true;
}

/// Bucket by bucket: step a copy of the weights, put old - new in the gradients' place, start combining it. What a
/// bucket holds of frozen tensors is combined too, each by itself, and left there. Gives what the exchange took.
CommunicationTime OptimizerUpdate::combineSteps(const StepContext& context) {
  BucketExchange& steps = *exchange_->ofSteps();
  ExchangeClock clock;
  for (std::size_t b = 0; b < buckets_.size() && buckets_[b].range.begin < trained().end; ++b) {
    const StepRange old = rangeOf(intersection(buckets_[b].range, trained()));
    const StepRange copied{old.range, stepped_->as<float>().first(old.weights.size()), old.gradients};
    vectors_.copy(device_.queue(), old.weights, copied.weights);
    optimizer_.step(std::span(&copied, 1), context);
    vectors_.difference(device_.queue(), old.weights, copied.weights, old.gradients);
    clock.run([&, bucket = static_cast<int>(b)] {
      steps.begin(bucket);
      return steps.underWay(bucket);
    });
  }
  clock.run([&] {
    steps.finish(trained().end);
    return false;
  });
  vectors_.subtract(device_.queue(), weightsOf(trained()), gradientsOf(trained()));
  return clock.take();
}

}  // namespace slipstream
