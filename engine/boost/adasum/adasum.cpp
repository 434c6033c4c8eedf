// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/adasum/adasum.h"

#include <algorithm>
#include <utility>

#include "engine/boost/adasum/combination.h"
#include "engine/boost/adasum/spec.h"
#include "engine/boost/optimizer_update.h"
#include "engine/boost/slices.h"

namespace slipstream {
namespace {

/// What both modes share.
class AdasumUpdate : public OptimizerUpdate {
 public:
  explicit AdasumUpdate(const UpdateContext& parts)
      : OptimizerUpdate(parts, AdasumCombination::wantsSharedMemory(parts)), combination_(parts, memory_) {}

  std::string exchange() const override { return combination_.exchange(); }
  UpdateTraits traits() const final {
    UpdateTraits traits = OptimizerUpdate::traits();
    traits.addsGradients = false;
    return traits;
  }

 protected:
  AdasumCombination combination_;
};

/// Mean inside servers, Adasum over them, one optimizer state for all ranks.
class AdasumOfGradients final : public AdasumUpdate {
 public:
  explicit AdasumOfGradients(const UpdateContext& parts) : AdasumUpdate(parts) { exchangeThrough(combination_.both()); }

 private:
  bool update(StepContext& context, StepOutcome& outcome) override {
    optimize(trained(), weightsOf(trained()), context);
    combination_.record(trained(), outcome);
    return true;
  }
};

/// Every leaf steps by itself, with its own optimizer state; Adasum combines how far they went (Maleki et al. 2020).
class AdasumOfDeltas final : public AdasumUpdate {
 public:
  explicit AdasumOfDeltas(const UpdateContext& parts)
      : AdasumUpdate(parts), vectors_(parts.kernels.of<VectorKernels>()) {
    exchangeThrough(combination_.serverMean());
    if (combination_.reduction() == nullptr) return;
    std::int64_t largest = 0;
    for (const Bucket& bucket : buckets_) largest = std::max(largest, bucket.range.size());
    stepped_ = device_.allocate(static_cast<std::size_t>(largest) * sizeof(float), MemoryCategory::boost);
  }

 private:
  bool optimizerDiffersByRank() const override { return combination_.reduction() != nullptr; }

  bool update(StepContext& context, StepOutcome& outcome) override {
    if (combination_.reduction() != nullptr) {
      outcome.communication += combineSteps(context);
    } else {
      optimize(trained(), weightsOf(trained()), context);
    }
    combination_.record(trained(), outcome);
    return true;
  }

  /// Bucket by bucket: step a copy of the weights, put old - new in the gradients' place, start combining it. What a
  /// bucket holds of frozen tensors is combined too, each by itself, and left there. Gives what the exchange took.
  CommunicationTime combineSteps(const StepContext& context) {
    AdasumReduction& reduction = *combination_.reduction();
    ExchangeClock clock;
    for (std::size_t b = 0; b < buckets_.size() && buckets_[b].range.begin < trained().end; ++b) {
      const Range range = intersection(buckets_[b].range, trained());
      const auto old = weightsOf(range);
      const auto stepped = stepped_->as<float>().first(old.size());
      vectors_.copy(device_.queue(), old, stepped);
      optimize(range, stepped, context);
      vectors_.difference(device_.queue(), old, stepped, gradientsOf(range));
      clock.run([&, bucket = static_cast<int>(b)] {
        reduction.begin(bucket);
        return reduction.underWay(bucket);
      });
    }
    clock.run([&] {
      reduction.finish(trained().end);
      return false;
    });
    vectors_.subtract(device_.queue(), weightsOf(trained()), gradientsOf(trained()));
    return clock.take();
  }

  const VectorKernels& vectors_;
  std::unique_ptr<Buffer> stepped_;  ///< a copy of one bucket's weights
};

}  // namespace

/// Below optimizer_parallel it is a part of that update.
void AdasumAlgorithm::fillSlots(StepSlots& slots, const UpdateContext& parts) {
  const bool sharded = parts.experiment.parallel.optimizerParallel.level != ShardingLevel::off;
  if (parts.experiment.boost.isOn<AdasumOptions>() && !sharded) slots.update = makeAdasum(parts);
}

std::unique_ptr<Update> makeAdasum(const UpdateContext& parts) {
  const AdasumMode mode = parts.experiment.boost.of<AdasumOptions>().mode;
  if (mode == AdasumMode::gradients) return std::make_unique<AdasumOfGradients>(parts);
  return std::make_unique<AdasumOfDeltas>(parts);
}

}  // namespace slipstream
