// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdint>

/// What an optimizer's step is, element by element, for every device: Ascend's compiler reads it too, so that it is
/// plain C++ and includes nothing of the engine's.
namespace slipstream {

/// The numbers of one optimizer step for the elements of one tensor.
struct StepNumbers {
  float rate;
  float inverseScale;
  float decay;
  float momentum;      ///< share of the first vector of state that is kept
  float keepGradient;  ///< 1 - dampening; 1 at the first step; 1 - beta1
  float shrink = 1;    ///< weights are multiplied by it: decay that is no part of the gradient
  float momentum2 = 0;
  float keepGradient2 = 0;
  float correction2 = 1;  ///< of the second moment's root
  float epsilon = 0;
};

/// In all of them g' = g / scale + decay * w.
enum class StepForm : std::uint32_t {
  plain,     ///< w -= rate * g'
  momentum,  ///< v = momentum * v + keep * g'; w -= rate * v
  nesterov,  ///< as momentum, then steps along g' + momentum * v
  /// v = momentum * v + keep * g'; s = momentum2 * s + keep2 * g'²; w = shrink * w - rate * v / (√s * correction2 + ε)
  adam,
  /// v and s as adam's, of g / scale; the gradient becomes rate * v / (√s * correction2 + ε) + decay * w. Gradients and
  /// weights change places: the "weights" that are written are the gradients.
  direction,
  /// w = shrink * w - rate * sign(momentum * v + keep * g'); v = momentum2 * v + keep2 * g'
  sign,
};

inline constexpr std::array stepForms{StepForm::plain, StepForm::momentum,  StepForm::nesterov,
                                      StepForm::adam,  StepForm::direction, StepForm::sign};

/// Vectors that a form keeps beside the weights.
constexpr std::size_t statesOf(StepForm form) {
  if (form == StepForm::plain) return 0;
  return form == StepForm::adam || form == StepForm::direction ? 2 : 1;
}

/// One element's weight and what is kept beside it, before a step or behind it.
struct Stepped {
  float weight;
  float velocity;
  float secondMoment = 0;
};

#ifdef __CUDACC__
#define SLIPSTREAM_STEP __host__ __device__ inline
#else
#define SLIPSTREAM_STEP inline
#endif

/// The moments behind a step along `gradient`, and in the weight's place what adam moves along.
SLIPSTREAM_STEP Stepped withMoments(Stepped before, float gradient, const StepNumbers& by) {
  const float first = by.momentum * before.velocity + by.keepGradient * gradient;
  const float second = by.momentum2 * before.secondMoment + by.keepGradient2 * (gradient * gradient);
  return {by.rate * (first / (std::sqrt(second) * by.correction2 + by.epsilon)), first, second};
}

/// The formulas of OptimizerKernels for one element: the same text, and without fused multiply-adds (-ffp-contract=off,
/// --fmad=false) the same bits, on every device.
template <StepForm Form>
SLIPSTREAM_STEP Stepped stepped(Stepped before, float gradient, const StepNumbers& by) {
  if constexpr (Form == StepForm::direction) {
    Stepped after = withMoments(before, before.weight * by.inverseScale, by);
    after.weight += by.decay * gradient;
    return after;
  } else {
    const float along = gradient * by.inverseScale + by.decay * before.weight;
    if constexpr (Form == StepForm::plain) {
      return {before.weight - by.rate * along, before.velocity};
    } else if constexpr (Form == StepForm::adam) {
      Stepped after = withMoments(before, along, by);
      after.weight = by.shrink * before.weight - after.weight;
      return after;
    } else if constexpr (Form == StepForm::sign) {
      const float mixed = by.momentum * before.velocity + by.keepGradient * along;
      const float sign = mixed > 0 ? 1.0F : mixed < 0 ? -1.0F : mixed;
      return {by.shrink * before.weight - by.rate * sign, by.momentum2 * before.velocity + by.keepGradient2 * along};
    } else {
      const float moved = by.momentum * before.velocity + by.keepGradient * along;
      if constexpr (Form == StepForm::momentum) return {before.weight - by.rate * moved, moved};
      return {before.weight - by.rate * (along + by.momentum * moved), moved};
    }
  }
}

#undef SLIPSTREAM_STEP

}  // namespace slipstream
