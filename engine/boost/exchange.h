// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "engine/boost/bucket_exchange.h"
#include "engine/boost/rank_memory.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// What ranks make of each other's gradients before the optimizer steps, of each other's steps behind it, or of both.
/// An update is composed of one, of an optimizer, and of how weights and state are kept: whole (OptimizerUpdate) or in
/// shards (optimizer_parallel). It works in the memory of gradients that every rank has whole.
class Exchange {
 public:
  virtual ~Exchange() = default;
  /// Makes what the optimizer steps along; null: each rank's own gradients.
  virtual BucketExchange* ofGradients() const = 0;
  /// Where ranks step differently: makes of their steps (old - new weights, in the gradients' place) the one that all
  /// take. Every rank then has an optimizer state of its own. Null: they step alike.
  virtual BucketExchange* ofSteps() const { return nullptr; }
  /// See UpdateTraits.
  virtual bool addsGradients() const { return false; }
  /// Adds metrics of the step that finished last.
  virtual void record(Range /*trained*/, StepOutcome& /*outcome*/) const {}
  /// See Update::exchange.
  virtual std::string name() const = 0;
};

/// How to make an exchange of a run. Which it is, the first of engine/boost/algorithms.h says that has one.
struct ExchangeMaker {
  bool sharesMemory = false;  ///< it looks at the gradients of other ranks of its host
  bool isSum = false;         ///< a mean or sum over all ranks, of which each could make a part only
  /// Collective. `gradients` outlive it.
  std::function<std::unique_ptr<Exchange>(const UpdateContext& parts, const RankMemory& gradients)> make = {};
};

/// The exchange of the experiment's algorithms.
ExchangeMaker exchangeOf(const UpdateContext& parts);

}  // namespace slipstream
