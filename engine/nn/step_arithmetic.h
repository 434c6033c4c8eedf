// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/nn/optimizer_kernels.h"

namespace slipstream {

/// One element's weight and velocity, before a step or behind it.
struct Stepped {
  float weight;
  float velocity;
};

/// The formulas of OptimizerKernels for one element: the same text, and without fused multiply-adds (-ffp-contract=off,
/// --fmad=false) the same bits, on every device.
template <StepForm Form>
constexpr Stepped stepped(Stepped before, float gradient, const StepNumbers& by) {
  const float along = gradient * by.inverseScale + by.decay * before.weight;
  if constexpr (Form == StepForm::plain) {
    return {before.weight - by.rate * along, before.velocity};
  } else {
    const float moved = by.momentum * before.velocity + by.keepGradient * along;
    if constexpr (Form == StepForm::momentum) return {before.weight - by.rate * moved, moved};
    return {before.weight - by.rate * (along + by.momentum * moved), moved};
  }
}

}  // namespace slipstream
