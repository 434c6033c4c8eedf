// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

#include "engine/nn/step_arithmetic.h"
#include "engine/spec/optimizer_spec.h"

namespace slipstream {

/// What the numbers of one tensor's step are made from.
struct StepInput {
  double rate;            ///< of the schedule
  double gradientFactor;  ///< what gradients are multiplied by
  double weightDecay;
  double trust;             ///< of the tensor's norms; 1 where they do not count
  std::int64_t updates;     ///< of the tensor, this one included
  std::int64_t runUpdates;  ///< of the run, before this one
};

/// The form in which the optimizer moves the weights.
StepForm stepFormOf(const OptimizerSpec& spec);
StepNumbers stepNumbersOf(const OptimizerSpec& spec, const StepInput& input);
/// The numbers of StepForm::direction, for optimizers that move along it: TrustRatio::ofDirection.
StepNumbers directionNumbersOf(const OptimizerSpec& spec, const StepInput& input);

/// What a tensor's step is multiplied by, given the norms of its weights and of what it is stepped along: You et al.,
/// arXiv 1708.03888, eq. 6 (LARS), 1904.00962, algorithm 2 (LAMB). 1 where one of them is 0.
double trustRatio(const OptimizerSpec& spec, double weightDecay, double weightNorm, double stepNorm);

/// Throws Error where the settings make no optimizer; experiment files are validated before.
void checkOptimizerSpec(const OptimizerSpec& spec);

/// What the optimizer adds to a tensor's gradient for each unit of weight, or takes off the weights: its group's decay,
/// else the optimizer's own.
double weightDecayOf(const OptimizerSpec& spec, const std::string& tensor);

}  // namespace slipstream
