// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>

#include "engine/boost/adasum/exchange.h"
#include "engine/boost/adasum/hierarchical.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// What Adasum's modes share: the mean inside servers, and the reduction over leaves, both of whole gradients.
class AdasumCombination {
 public:
  /// Collective. What is referred to outlives this.
  AdasumCombination(const UpdateContext& parts, const RankMemory& gradients);
  ~AdasumCombination();
  AdasumCombination(const AdasumCombination&) = delete;
  AdasumCombination& operator=(const AdasumCombination&) = delete;

  /// True where its exchange looks at every rank's gradients in shared memory.
  static bool wantsSharedMemory(const UpdateContext& parts);

  /// Mean (or sum) of the gradients inside each leaf's group; null where every leaf is one rank.
  BucketExchange* serverMean() const { return serverMean_.get(); }
  /// Adasum over the leaves; null where there is one.
  AdasumReduction* reduction() const { return reduction_.get(); }
  /// One after the other; null where there is one rank.
  BucketExchange* both() const;

  /// Adds orthogonality and cosine of every trained tensor of which some leaf was not zero.
  void record(Range trained, StepOutcome& outcome) const;
  const std::string& exchange() const { return exchange_; }

 private:
  std::int64_t ownBytes() const;

  const ParameterLayout& layout_;
  Device& device_;
  AdasumGroups groups_;
  std::unique_ptr<Communicator> server_;
  std::unique_ptr<BucketExchange> serverMean_;
  std::unique_ptr<AdasumReduction> reduction_;
  std::unique_ptr<BucketExchange> chain_;
  std::string exchange_;
};

}  // namespace slipstream
