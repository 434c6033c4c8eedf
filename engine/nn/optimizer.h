// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/nn/optimizer_kernels.h"
#include "engine/nn/parameter_layout.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// A range of the flat space, and where its weights and gradients stand: range.size() elements each.
struct SteppedRange {
  Range range;
  std::span<float> weights;
  std::span<const float> gradients;
};

/// SGD and Momentum over a range of the flat space (the formulas of MindSpore's nn.SGD and nn.Momentum).
/// State is kept only for `owned`: the whole space when replicated, a shard otherwise.
class Optimizer {
 public:
  virtual ~Optimizer() = default;
  /// Updates the weights of all ranges (inside `owned`) with their gradients, in one go: those of all ranges stand in
  /// one memory, as do the gradients. Every element of `owned` is updated at most once an update of the run; one that
  /// is left out (frozen) keeps its momentum as it is. `updatesDone` counts the run's updates before this one: the
  /// schedule's position.
  virtual void update(std::span<const SteppedRange> ranges, std::int64_t updatesDone) = 0;
  void update(Range range, std::span<float> weights, std::span<const float> gradients, std::int64_t updatesDone) {
    const SteppedRange one{range, weights, gradients};
    update(std::span(&one, 1), updatesDone);
  }
  /// The learning rate of the first group, for the record.
  virtual double learningRateAt(std::int64_t updatesDone) const = 0;
  /// Momentum, `owned.size()` elements; empty for plain SGD.
  virtual std::span<float> state() = 0;
};

/// What the optimizer adds to a tensor's gradient for each unit of weight: its group's decay, else the optimizer's own.
double weightDecayOf(const OptimizerSpec& spec, const std::string& tensor);

/// State is of `device`, as are the weights and gradients to come; `kernels` are its.
std::unique_ptr<Optimizer> makeOptimizer(const OptimizerSpec& spec, const ParameterLayout& layout, Range owned,
                                         double stepsPerEpoch, std::int64_t totalSteps, Device& device,
                                         const OptimizerKernels& kernels);

}  // namespace slipstream
