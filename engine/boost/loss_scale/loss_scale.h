// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>

#include "engine/boost/loss_scale/kernels.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// Multiplies the loss before backward and divides the gradients again before they are exchanged, whatever the kind: no
/// Update sees a scaled gradient. A step whose gradient overflows on any rank changes nothing but the scale, unless the
/// kind is fixed and drops no overflows. Fills two slots with one object.
class LossScale : public StepPolicy, public GradientPass {
 public:
  std::string name() const final { return "loss_scale"; }
};

/// As experiment.lossScale says, whose kind must not be none. Throws Error for settings that MindSpore's managers
/// refuse: a scale below 1, a factor or window that is not positive. afterStep throws Error where more than 1000 steps
/// in a row overflowed. The kernels are the device's, and it is the gradients'.
std::shared_ptr<LossScale> makeLossScale(const LossScaleSpec& spec, const OptimizerSpec& optimizer,
                                         const ParameterLayout& layout, const LossScaleKernels& kernels,
                                         Device& device);

}  // namespace slipstream
