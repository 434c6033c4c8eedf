// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "engine/nn/parameter_layout.h"
#include "engine/spec/optimizer_spec.h"

namespace slipstream::test {

/// One optimizer for all tensors, in double and straight from the papers: SGD and Momentum (MindSpore's), Adam (Kingma
/// and Ba 2015), AdamW (Loshchilov and Hutter 2019), LAMB (You et al. 2020), LARS (You et al. 2017), Lion (Chen et al.
/// 2023), and clipping by the global norm (Pascanu et al. 2013).
class ReferenceOptimizer {
 public:
  ReferenceOptimizer(const OptimizerSpec& spec, const ParameterLayout& layout, const std::vector<float>& start)
      : weights(start.begin(), start.end()),
        spec_(spec),
        layout_(layout),
        first_(start.size()),
        second_(start.size()),
        updates_(layout.tensors().size()) {}

  /// Along `gradient`, of the tensors before `end` of the flat space.
  void step(std::vector<double> gradient, double rate, std::int64_t end) {
    for (double& value : gradient) value /= spec_.lossScale;
    double square = 0;
    for (std::int64_t i = 0; i < end; ++i) square += gradient[index(i)] * gradient[index(i)];
    gradientNorm = std::sqrt(square);
    if (spec_.clipNorm > 0 && gradientNorm > spec_.clipNorm) {
      for (double& value : gradient) value *= spec_.clipNorm / (gradientNorm + 1e-6);
    }
    for (std::size_t t = 0; t < updates_.size() && layout_.tensors()[t].range.begin < end; ++t) {
      stepTensor(t, gradient, rate);
    }
  }

  std::vector<double> weights;
  double gradientNorm = 0;  ///< of the last step, before it was clipped

 private:
  static std::size_t index(std::int64_t i) { return static_cast<std::size_t>(i); }

  double decayOf(const TensorSpec& tensor) const {
    const bool spared = tensor.name.find("beta") != std::string::npos || tensor.name.find("gamma") != std::string::npos;
    return spared && spec_.kind != OptimizerKind::sgd ? 0 : spec_.weightDecay;
  }

  void stepTensor(std::size_t t, const std::vector<double>& gradient, double rate) {
    const FlatTensor& tensor = layout_.tensors()[t];
    const std::size_t begin = index(tensor.range.begin);
    const std::size_t count = index(tensor.range.size());
    const double decay = decayOf(tensor.spec);
    const bool adapts = tensor.spec.shape.size() > 1;
    ++updates_[t];
    std::vector<double> along(count);
    double ofWeights = 0;
    double ofGradient = 0;
    for (std::size_t i = 0; i < count; ++i) {
      ofWeights += std::pow(weights[begin + i], 2);
      ofGradient += std::pow(gradient[begin + i], 2);
    }
    for (std::size_t i = 0; i < count; ++i) along[i] = move(begin + i, gradient[begin + i], decay, updates_[t]);
    double ratio = 1;
    if (spec_.kind == OptimizerKind::lamb && adapts) {
      double ofStep = 0;
      for (const double value : along) ofStep += value * value;
      ratio = ofWeights > 0 && ofStep > 0 ? std::sqrt(ofWeights / ofStep) : 1;
    }
    if (spec_.kind == OptimizerKind::lars) {
      if (adapts && ofWeights > 0 && ofGradient > 0) {
        ratio = spec_.trustCoefficient * std::sqrt(ofWeights) / (std::sqrt(ofGradient) + decay * std::sqrt(ofWeights));
      }
      for (std::size_t i = 0; i < count; ++i) {
        double& velocity = first_[begin + i];
        velocity = spec_.momentum * velocity + rate * ratio * along[i];
        weights[begin + i] -= velocity;
      }
      return;
    }
    for (std::size_t i = 0; i < count; ++i) weights[begin + i] -= rate * ratio * along[i];
  }

  /// What element i moves along, once its state has been stepped.
  double move(std::size_t i, double gradient, double decay, double updates) {
    const double weight = weights[i];
    double& m = first_[i];
    double& v = second_[i];
    if (spec_.kind == OptimizerKind::adam) gradient += decay * weight;
    const double before = m;
    switch (spec_.kind) {
      case OptimizerKind::sgd:
      case OptimizerKind::momentum:
        m = spec_.momentum * m + gradient + decay * weight;
        return m;
      case OptimizerKind::lars:
        return gradient + decay * weight;
      case OptimizerKind::lion: {
        const double mixed = spec_.beta1 * before + (1 - spec_.beta1) * gradient;
        m = spec_.beta2 * before + (1 - spec_.beta2) * gradient;
        return (mixed > 0) - (mixed < 0) + decay * weight;
      }
      default:
        break;
    }
    m = spec_.beta1 * m + (1 - spec_.beta1) * gradient;
    v = spec_.beta2 * v + (1 - spec_.beta2) * gradient * gradient;
    const double corrected = m / (1 - std::pow(spec_.beta1, updates));
    const double root = std::sqrt(v / (1 - std::pow(spec_.beta2, updates)));
    return corrected / (root + spec_.epsilon) + (spec_.kind == OptimizerKind::adam ? 0 : decay * weight);
  }

  OptimizerSpec spec_;
  const ParameterLayout& layout_;
  std::vector<double> first_;
  std::vector<double> second_;
  std::vector<int> updates_;
};

/// The optimizer's own defaults, as an experiment's file has them.
inline OptimizerSpec specOfKind(OptimizerKind kind) {
  OptimizerSpec spec;
  const OptimizerInfo& info = infoOf(kind);
  spec.kind = kind;
  spec.momentum = info.momentum.value_or(0);
  spec.beta1 = info.beta1.value_or(spec.beta1);
  spec.beta2 = info.beta2.value_or(spec.beta2);
  spec.epsilon = info.epsilon.value_or(spec.epsilon);
  spec.trustCoefficient = info.trustCoefficient.value_or(spec.trustCoefficient);
  return spec;
}

}  // namespace slipstream::test
