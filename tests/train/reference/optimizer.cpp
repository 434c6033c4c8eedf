// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/optimizer.h"

namespace slipstream::reference {

bool Optimizer::centralizes(const Tensor& tensor) const {
  return settings_.centralizes && tensor.hasRows && !network_.isNormalizedHead(tensor);
}

/// Momentum spares the tensors of batch norms, SGD none.
double Optimizer::decayOf(const Tensor& tensor) const {
  const bool ofBatchNorm = tensor.name.ends_with(".gamma") || tensor.name.ends_with(".beta");
  return settings_.sgd || !ofBatchNorm ? settings_.decay : 0;
}

/// Momentum: centralised with the decay. SGD: centralised, then the decay.
Tensor Optimizer::along(const Tensor& weight, const Tensor& gradient) const {
  Tensor along = gradient;
  if (settings_.sgd && centralizes(along)) centralize(along);
  for (std::size_t i = 0; i < along.values.size(); ++i) along.values[i] += decayOf(weight) * weight.values[i];
  if (!settings_.sgd && centralizes(along)) centralize(along);
  return along;
}

Tensors Optimizer::step(const Tensors& weights, const Tensors& gradient, int firstLayer) {
  Tensors taken = zerosLike(weights);
  const double fresh = settings_.sgd && !first_ ? 1 - settings_.dampening : 1;
  first_ = false;
  for (std::size_t t = 0; t < weights.size(); ++t) {
    if (weights[t].layer < firstLayer) continue;
    const Tensor g = along(weights[t], gradient[t]);
    for (std::size_t i = 0; i < g.values.size(); ++i) {
      double& velocity = velocity_[t].values[i];
      velocity = settings_.momentum * velocity + fresh * g.values[i];
      const double direction = settings_.nesterov ? g.values[i] + settings_.momentum * velocity : velocity;
      taken[t].values[i] = settings_.rate * direction;
    }
  }
  return taken;
}

}  // namespace slipstream::reference
