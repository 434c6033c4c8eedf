// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "engine/boost/step_slots.h"
#include "engine/boost/tensor_norms.h"

namespace slipstream {

/// A range of the optimizer's space with its weights and with what it is stepped along, range.size() elements each.
struct StepRange {
  Range range;
  std::span<float> weights;
  std::span<float> gradients;
};

/// Ranks that have all tensors between them, each a part.
struct NormSharers {
  Communicator* communicator = nullptr;                 ///< null: this rank has all tensors whole
  std::function<bool(std::size_t tensor)> counts = {};  ///< whether this rank's part does, where others have the same
};

/// The experiment's optimizer in a training step: measures what its step depends on beside each element by itself (the
/// length of the whole gradient, norms of tensors), and keeps the state that a checkpoint holds. It divides gradients
/// by what is left to divide them by: optimizerDivisor(parts.experiment).
class StepOptimizer {
 public:
  /// For the tensors of `layout`, with state for `owned`. What `parts` refers to, and `layout`, must outlive this.
  StepOptimizer(const UpdateContext& parts, const ParameterLayout& layout, Range owned, NormSharers sharers = {});

  /// Once a step, before step(), with everything that is going to be stepped: all weights are in one memory, as are all
  /// gradients, which may be replaced by what the weights move along. Clips the gradient where the experiment says so,
  /// and records its norm. Collective over the sharers; gives the seconds that they exchanged.
  double prepare(std::span<const StepRange> ranges, const StepContext& context, StepOutcome& outcome);
  /// Steps the weights, which may be copies of those that were prepared.
  void step(std::span<const StepRange> ranges, const StepContext& context);

  /// State of `owned`'s elements: what replicas have as `perRank` says, or shards as `sharding` does.
  std::vector<StateTensor> state(bool perRank, const StateSharding& sharding = {});
  double learningRateAt(std::int64_t updatesDone) const { return optimizer_.learningRateAt(updatesDone); }

 private:
  /// Norms of the parts of each tensor; all of them, where ranks have shares.
  struct Squares {
    std::vector<double> of;
    std::vector<double> ofWeights;
  };
  std::vector<NormPart> partsOf(std::span<const StepRange> ranges, std::span<float> StepRange::*values) const;
  Squares measure(std::span<const StepRange> ranges, bool weightsToo);
  void computeTrustRatios(const Squares& squares, double factor);

  Optimizer optimizer_;
  TensorNorms norms_;
  NormSharers sharers_;
  StepScaling scaling_;
  std::vector<double> trust_;  ///< by tensor, of this step
  double exchangeSeconds_ = 0;
};

}  // namespace slipstream
