// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/boost/exchange.h"
#include "engine/boost/optimizer_parallel/shard_map.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// Where a rank's gradients go, and how the sums of its shard come back.
class ShardedGradients {
 public:
  virtual ~ShardedGradients() = default;
  /// Where layers add gradients to.
  virtual ParameterStore& store() = 0;
  virtual UpdateTraits traits() const = 0;

  /// A step whose gradients are those before `end` of the flat space.
  virtual void start(std::int64_t end) = 0;
  virtual void ready(Range range, bool isLast) = 0;
  virtual void progress() = 0;
  /// Collective: afterwards sums() holds what this rank keeps, summed over ranks. Gives what exchanging took of the
  /// step.
  virtual CommunicationTime finish() = 0;
  virtual ShardedValues sums() const = 0;
  /// Adds metrics of the step that finished last.
  virtual void record(Range /*trained*/, StepOutcome& /*outcome*/) const {}
  /// See Update::exchange.
  virtual std::string exchange() const = 0;
};

/// Whole gradients at level 1 and for exchanges that are no sums, units of layers in passing at levels 2 and 3.
/// Collective.
std::unique_ptr<ShardedGradients> makeShardedGradients(const UpdateContext& parts, const ShardMap& map,
                                                       const ExchangeMaker& maker);

}  // namespace slipstream
