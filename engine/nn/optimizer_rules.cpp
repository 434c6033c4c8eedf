// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/nn/optimizer_rules.h"

#include <cmath>

#include "engine/base/error.h"

namespace slipstream {
namespace {

float asFloat(double value) {
  return static_cast<float>(value);
}

/// Outside groups, batch norms' tensors are not decayed (MindSpore's filter on names), but for SGD's.
double ungroupedDecay(const OptimizerSpec& spec, const std::string& name) {
  if (spec.kind == OptimizerKind::sgd) return spec.weightDecay;
  const bool spared = name.find("beta") != std::string::npos || name.find("gamma") != std::string::npos;
  return spared ? 0.0 : spec.weightDecay;
}

bool isShare(double beta) {
  return beta >= 0 && beta < 1;
}

/// MindSpore's nn.SGD and nn.Momentum.
StepNumbers ofMomentum(const OptimizerSpec& spec, const StepInput& input) {
  const bool dampened = spec.kind == OptimizerKind::sgd && input.runUpdates > 0;
  return {asFloat(input.rate), asFloat(input.gradientFactor), asFloat(input.weightDecay), asFloat(spec.momentum),
          asFloat(dampened ? 1.0 - spec.dampening : 1.0)};
}

/// The rate is a part of what momentum keeps.
StepNumbers ofLars(const OptimizerSpec& spec, const StepInput& input) {
  return {1, asFloat(input.gradientFactor), asFloat(input.weightDecay), asFloat(spec.momentum),
          asFloat(input.rate * input.trust)};
}

/// Chen et al., arXiv 2302.06675, algorithm 2.
StepNumbers ofLion(const OptimizerSpec& spec, const StepInput& input) {
  return {.rate = asFloat(input.rate),
          .inverseScale = asFloat(input.gradientFactor),
          .decay = 0,
          .momentum = asFloat(spec.beta1),
          .keepGradient = asFloat(1 - spec.beta1),
          .shrink = asFloat(1 - input.rate * input.weightDecay),
          .momentum2 = asFloat(spec.beta2),
          .keepGradient2 = asFloat(1 - spec.beta2)};
}

/// Moments and what corrects them, to be stepped along at `rate`.
StepNumbers ofMoments(const OptimizerSpec& spec, const StepInput& input, double rate) {
  const auto updates = static_cast<double>(input.updates);
  return {.rate = asFloat(rate / (1 - std::pow(spec.beta1, updates))),
          .inverseScale = asFloat(input.gradientFactor),
          .decay = asFloat(input.weightDecay),
          .momentum = asFloat(spec.beta1),
          .keepGradient = asFloat(1 - spec.beta1),
          .momentum2 = asFloat(spec.beta2),
          .keepGradient2 = asFloat(1 - spec.beta2),
          .correction2 = asFloat(1 / std::sqrt(1 - std::pow(spec.beta2, updates))),
          .epsilon = asFloat(spec.epsilon)};
}

/// Kingma and Ba, arXiv 1412.6980, algorithm 1; Loshchilov and Hutter, 1711.05101, algorithm 2, whose decay is
/// multiplied by the rate as PyTorch's is.
StepNumbers ofAdam(const OptimizerSpec& spec, const StepInput& input) {
  StepNumbers numbers = ofMoments(spec, input, input.rate);
  if (!infoOf(spec.kind).decaysSeparately) return numbers;
  numbers.decay = 0;
  numbers.shrink = asFloat(1 - input.rate * input.weightDecay);
  return numbers;
}

}  // namespace

StepForm stepFormOf(const OptimizerSpec& spec) {
  switch (spec.kind) {
    case OptimizerKind::sgd:
    case OptimizerKind::momentum:
      if (spec.momentum == 0) return StepForm::plain;
      return spec.nesterov ? StepForm::nesterov : StepForm::momentum;
    case OptimizerKind::lars:
      return StepForm::momentum;
    case OptimizerKind::adam:
    case OptimizerKind::adamw:
      return StepForm::adam;
    case OptimizerKind::lamb:
      return StepForm::plain;
    case OptimizerKind::lion:
      return StepForm::sign;
  }
  throw Error("an optimizer of no known kind");
}

StepNumbers stepNumbersOf(const OptimizerSpec& spec, const StepInput& input) {
  switch (spec.kind) {
    case OptimizerKind::sgd:
    case OptimizerKind::momentum:
      return ofMomentum(spec, input);
    case OptimizerKind::lars:
      return ofLars(spec, input);
    case OptimizerKind::adam:
    case OptimizerKind::adamw:
      return ofAdam(spec, input);
    case OptimizerKind::lamb:  // along the direction, which holds everything else
      return {asFloat(input.rate * input.trust), 1, 0, 0, 1};
    case OptimizerKind::lion:
      return ofLion(spec, input);
  }
  throw Error("an optimizer of no known kind");
}

StepNumbers directionNumbersOf(const OptimizerSpec& spec, const StepInput& input) {
  return ofMoments(spec, input, 1);
}

double trustRatio(const OptimizerSpec& spec, double weightDecay, double weightNorm, double stepNorm) {
  if (weightNorm == 0 || stepNorm == 0) return 1;
  if (infoOf(spec.kind).trust == TrustRatio::ofDirection) return weightNorm / stepNorm;
  return spec.trustCoefficient * weightNorm / (stepNorm + weightDecay * weightNorm);
}

void checkOptimizerSpec(const OptimizerSpec& spec) {
  const OptimizerInfo& info = infoOf(spec.kind);
  if (!(spec.momentum >= 0)) throw Error("the optimizer's momentum must not be negative");
  if (!(spec.dampening >= 0)) throw Error("the optimizer's dampening must not be negative");
  if (!(spec.weightDecay >= 0)) throw Error("the optimizer's weight decay must not be negative");
  if (!(spec.lossScale > 0)) throw Error("the optimizer's loss scale must be positive");
  if (!(spec.clipNorm >= 0)) throw Error("the norm that gradients are clipped to must not be negative");
  if (info.beta1 && !(isShare(spec.beta1) && isShare(spec.beta2))) {
    throw Error("the optimizer's betas must be at least 0 and below 1");
  }
  if (info.epsilon && !(spec.epsilon > 0)) throw Error("the optimizer's epsilon must be positive");
  if (info.trustCoefficient && !(spec.trustCoefficient > 0)) {
    throw Error("the optimizer's trust coefficient must be positive");
  }
  if (spec.kind == OptimizerKind::sgd && spec.nesterov && (spec.momentum == 0 || spec.dampening != 0)) {
    throw Error("sgd with nesterov needs momentum and no dampening");
  }
}

double weightDecayOf(const OptimizerSpec& spec, const std::string& tensor) {
  const ParameterGroupSpec* group = groupOf(spec, tensor);
  return group == nullptr ? ungroupedDecay(spec, tensor) : group->weightDecay.value_or(spec.weightDecay);
}

}  // namespace slipstream
