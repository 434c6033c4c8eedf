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
#include "engine/nn/optimizer_rules.h"
#include "engine/nn/parameter_layout.h"
#include "engine/spec/experiment.h"

namespace slipstream {

/// A range of the flat space with its weights and gradients: range.size() elements each.
struct SteppedRange {
  Range range;
  std::span<float> weights;
  std::span<const float> gradients;
};

/// What a step is scaled by beside the schedule's rate.
struct StepScaling {
  double gradients = 1;                ///< of all gradients
  std::span<const double> trust = {};  ///< by tensor in layout order (optimizer_rules.h); empty: 1
};

/// An optimizer over a range of the flat space; its formulas are in step_arithmetic.h and optimizer_rules.cpp. State is
/// kept only for `owned`: the whole space when replicated, a shard otherwise.
class Optimizer {
 public:
  /// State is of `device`, as are the weights and gradients to come; `kernels` are its. `layout` and `kernels` must
  /// outlive this. Throws Error as checkOptimizerSpec does.
  Optimizer(const OptimizerSpec& spec, const ParameterLayout& layout, Range owned, double stepsPerEpoch,
            std::int64_t totalSteps, Device& device, const OptimizerKernels& kernels);

  /// Updates the weights of all ranges (inside `owned`) with their gradients, in one go: those of all ranges are in
  /// one memory, as are the gradients. Every element of `owned` is updated at most once an update of the run; one that
  /// is left out (frozen) keeps its state as it is. `updatesDone` counts the run's updates before this one: the
  /// schedule's position. A tensor's own updates are counted where its first element of `owned` is stepped, or stands
  /// to be in an empty range.
  void update(std::span<const SteppedRange> ranges, std::int64_t updatesDone, const StepScaling& scaling = {});
  void update(Range range, std::span<float> weights, std::span<const float> gradients, std::int64_t updatesDone) {
    const SteppedRange one{range, weights, gradients};
    update(std::span(&one, 1), updatesDone);
  }
  /// Of optimizers that step by the norm of their direction, once before the step's update(): keeps what the gradients
  /// say, and replaces them by the directions, along which update() then steps. Both are whole parts of `ranges`.
  void computeDirections(std::span<const SteppedRange> ranges, std::span<const std::span<float>> gradients,
                         std::int64_t updatesDone, const StepScaling& scaling);
  const OptimizerSpec& spec() const { return spec_; }
  const ParameterLayout& layout() const { return layout_; }
  /// Whether the tensor is stepped by its norms.
  bool usesTrustRatio(std::size_t tensor) const { return rules_[tensor].usesTrustRatio; }
  double weightDecay(std::size_t tensor) const { return rules_[tensor].weightDecay; }
  /// The learning rate of the first group, for the record.
  double learningRateAt(std::int64_t updatesDone) const { return rateOf(0, updatesDone); }
  /// Vectors of owned.size() elements, as stateNames(spec) names them; empty where there are not so many.
  std::span<float> state(std::size_t which = 0) {
    return which < states_.size() ? states_[which]->as<float>() : std::span<float>{};
  }
  /// Updates of each tensor, in the host's memory, where the optimizer counts them; else empty.
  std::span<float> updateCounts() { return counts_; }

 private:
  /// What one tensor is updated with.
  struct TensorRule {
    double weightDecay;
    std::size_t schedule;  ///< index into the schedules; 0 is the optimizer's own
    bool usesTrustRatio;
  };

  TensorRule ruleFor(const TensorSpec& tensor) const;
  double rateOf(std::size_t schedule, std::int64_t updatesDone) const;
  StepInput inputOf(std::size_t tensor, std::int64_t updatesDone, const StepScaling& scaling) const;
  float* stateOf(std::size_t which, Range range);
  void count(std::span<const SteppedRange> ranges);
  using MakeNumbers = StepNumbers (*)(const OptimizerSpec&, const StepInput&);
  void step(std::span<const SteppedRange> ranges, StepForm form, MakeNumbers make, std::int64_t updatesDone,
            const StepScaling& scaling);
  /// Throws Error.
  void checkOwned(const SteppedRange& one) const;
  template <class Use>
  void forTensors(Range range, Use&& use) const;
  template <class Use>
  void forParts(std::span<const SteppedRange> ranges, Use&& use) const;
  /// Kept: a run asks for few ranges together, and for them at every step.
  const SegmentPlan& planOf(std::span<const SteppedRange> ranges, const SteppedRange& first);
  /// One a part.
  std::vector<StepNumbers> numbersOf(std::span<const SteppedRange> ranges, MakeNumbers make, std::int64_t updatesDone,
                                     const StepScaling& scaling) const;
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
  std::vector<std::unique_ptr<Buffer>> states_;
  std::vector<float> counts_;
  /// By begin, end and offset of each range.
  std::map<std::vector<std::int64_t>, std::unique_ptr<SegmentPlan>> plans_;
};

}  // namespace slipstream
