// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "engine/device/device.h"
#include "engine/nn/optimizer_kernels.h"
#include "engine/nn/parameter_layout.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// A range of the flat space with its weights and gradients: range.size() elements each.
struct SteppedRange {
  Range range;
  std::span<float> weights;
  std::span<const float> gradients;
};

/// What the optimizer adds to a tensor's gradient for each unit of weight: its group's decay, else the optimizer's own.
double weightDecayOf(const OptimizerSpec& spec, const std::string& tensor);

/// SGD and Momentum over a range of the flat space (the formulas of MindSpore's nn.SGD and nn.Momentum).
/// State is kept only for `owned`: the whole space when replicated, a shard otherwise.
class Optimizer {
 public:
  /// State is of `device`, as are the weights and gradients to come; `kernels` are its. `layout` and `kernels` must
  /// outlive this. Throws Error where MindSpore's constructors refuse the settings.
  Optimizer(const OptimizerSpec& spec, const ParameterLayout& layout, Range owned, double stepsPerEpoch,
            std::int64_t totalSteps, Device& device, const OptimizerKernels& kernels);

  /// Updates the weights of all ranges (inside `owned`) with their gradients, in one go: those of all ranges are in
  /// one memory, as are the gradients. Every element of `owned` is updated at most once an update of the run; one that
  /// is left out (frozen) keeps its momentum as it is. `updatesDone` counts the run's updates before this one: the
  /// schedule's position.
  void update(std::span<const SteppedRange> ranges, std::int64_t updatesDone);
  void update(Range range, std::span<float> weights, std::span<const float> gradients, std::int64_t updatesDone) {
    const SteppedRange one{range, weights, gradients};
    update(std::span(&one, 1), updatesDone);
  }
  /// The learning rate of the first group, for the record.
  double learningRateAt(std::int64_t updatesDone) const { return rateOf(0, updatesDone); }
  /// Momentum, `owned.size()` elements; empty for plain SGD.
  std::span<float> state() { return velocity_ ? velocity_->as<float>() : std::span<float>{}; }

 private:
  /// What one tensor is updated with.
  struct TensorRule {
    double weightDecay;
    std::size_t schedule;  ///< index into the schedules; 0 is the optimizer's own
  };

  TensorRule ruleFor(const std::string& tensor) const;
  double rateOf(std::size_t schedule, std::int64_t updatesDone) const;
  StepNumbers numbersFor(const TensorRule& rule, std::int64_t updatesDone) const;
  StepForm form() const;
  float* velocityOf(Range range);
  /// Throws Error.
  void checkOwned(const SteppedRange& one) const;
  template <class Use>
  void forTensors(Range range, Use&& use) const;
  template <class Use>
  void forParts(std::span<const SteppedRange> ranges, Use&& use) const;
  /// Kept: a run asks for few ranges together, and for them at every step.
  const SegmentPlan& planOf(std::span<const SteppedRange> ranges, const SteppedRange& first);
  /// One a part.
  std::vector<StepNumbers> numbersOf(std::span<const SteppedRange> ranges, std::int64_t updatesDone) const;
  /// One a part; none where the vectors begin alike.
  std::vector<SegmentShift> shiftsOf(std::span<const SteppedRange> ranges, const SteppedRange& first) const;

  OptimizerSpec spec_;
  const ParameterLayout& layout_;
  Range owned_;
  double stepsPerEpoch_;
  std::int64_t totalSteps_;
  DeviceQueue& queue_;
  const OptimizerKernels& kernels_;
  std::vector<TensorRule> rules_;  ///< one a tensor, in layout order
  std::unique_ptr<Buffer> velocity_;
  /// By begin, end and offset of each range.
  std::map<std::vector<std::int64_t>, std::unique_ptr<SegmentPlan>> plans_;
};

}  // namespace slipstream
