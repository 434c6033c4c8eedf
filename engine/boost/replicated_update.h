#pragma once

#include <memory>
#include <vector>

#include "engine/boost/bucket_exchange.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// An Update whose every rank keeps all weights, all gradients and a whole optimizer: what `averaged` and `adasum` have
/// in common. A subclass names its exchange and says how the weights follow from what it made.
class ReplicatedUpdate : public Update {
 public:
  ParameterStore& weights() final { return weights_; }
  ParameterStore& gradients() final { return gradients_; }
  void begin(const StepPlan& plan) final;
  void gradientReady(Range range, int microBatch, bool isLast) final;
  void progress() final { schedule_.progress(); }
  StepOutcome finish(StepContext& context) final;
  std::vector<StateTensor> state() final;
  double learningRateAt(std::int64_t updatesDone) const final { return optimizer_->learningRateAt(updatesDone); }

 protected:
  /// Collective. `shareGradients`: in memory that the ranks of a host see, where there is some.
  ReplicatedUpdate(const UpdateParts& parts, bool shareGradients);
  /// To be called once by the subclass; `exchange` outlives this. Null: there is nobody to exchange with.
  void exchangeThrough(BucketExchange* exchange);

  /// The gradients are exchanged and no rank saw an overflow: change the weights before `trained.end`.
  virtual void update(const StepContext& context, Range trained, StepOutcome& outcome) = 0;
  /// True where ranks' optimizers see different gradients.
  virtual bool optimizerDiffersByRank() const { return false; }

  /// Steps `weights`, those of `range`, along the gradients.
  void optimize(Range range, std::span<float> weights, const StepContext& context);
  std::span<float> gradientsOf(Range range) const;
  std::span<float> weightsOf(Range range) { return weights_.acquire(range); }

  const ParameterLayout& layout_;
  std::vector<Bucket> buckets_;
  Device& device_;
  RankMemory memory_;

 private:
  bool overlap_;
  WholeParameterStore weights_;
  WholeParameterStore gradients_;
  std::unique_ptr<Optimizer> optimizer_;
  BucketSchedule schedule_;
  Range trained_;
};

}  // namespace slipstream
