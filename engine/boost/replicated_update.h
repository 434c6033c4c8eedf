// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/boost/bucket_exchange.h"
#include "engine/boost/grad_centralization/grad_centralization.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// An Update whose every rank keeps all weights and all gradients, which are exchanged in buckets, voted on and then
/// centralised. A subclass names its exchange and says how the weights follow from what it made.
class ReplicatedUpdate : public Update {
 public:
  ParameterStore& weights() final { return weights_; }
  ParameterStore& gradients() final { return gradients_; }
  void begin(const StepPlan& plan) final;
  void gradientReady(Range range, int microBatch, bool isLast) final;
  void progress() final { schedule_.progress(); }
  StepOutcome finish(StepContext& context) final;
  /// Of an exchange that sums gradients over all ranks.
  std::string exchange() const override;
  UpdateTraits traits() const override {
    return {.worksBesideLayers = schedule_.beginsEarly(), .lacksSharedMemory = memory_.lacksSharedMemory()};
  }

 protected:
  /// Collective. `shareGradients`: in memory that the ranks of a host see, where there is some.
  ReplicatedUpdate(const UpdateContext& parts, bool shareGradients);
  /// To be called once by the subclass; `exchange` outlives this. Null: there is nobody to exchange with.
  void exchangeThrough(BucketExchange* exchange);

  /// The gradients are exchanged and centralised, and no rank saw an overflow: change the weights before trained().end.
  /// False: nothing was changed.
  virtual bool update(StepContext& context, StepOutcome& outcome) = 0;

  /// What this step trains.
  Range trained() const { return trained_; }
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
  BucketExchange* exchange_ = nullptr;
  BucketSchedule schedule_;
  GradCentralization centralization_;
  Range trained_;
};

}  // namespace slipstream
