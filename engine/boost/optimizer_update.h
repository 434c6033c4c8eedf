// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <vector>

#include "engine/boost/replicated_update.h"

namespace slipstream {

/// A ReplicatedUpdate whose every rank keeps a whole optimizer: what `averaged` and `adasum` have in common.
class OptimizerUpdate : public ReplicatedUpdate {
 public:
  std::vector<StateTensor> state() final;
  double learningRateAt(std::int64_t updatesDone) const final { return optimizer_.learningRateAt(updatesDone); }

 protected:
  /// Collective, as ReplicatedUpdate's.
  OptimizerUpdate(const UpdateContext& parts, bool shareGradients);

  /// True where ranks' optimizers see different gradients.
  virtual bool optimizerDiffersByRank() const { return false; }
  /// Steps `weights`, those of `range`, along the gradients.
  void optimize(Range range, std::span<float> weights, const StepContext& context);

 private:
  Optimizer optimizer_;
};

}  // namespace slipstream
