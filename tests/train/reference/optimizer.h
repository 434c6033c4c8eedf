// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/train/reference/network.h"

namespace slipstream::reference {

/// MindSpore's nn.Momentum and nn.SGD at a constant rate.
struct OptimizerSettings {
  bool sgd = false;
  double rate = 0.05;
  double momentum = 0.9;
  double dampening = 0;  ///< sgd
  bool nesterov = false;
  double decay = 0;
  bool centralizes = false;
};

/// One optimizer and its state.
class Optimizer {
 public:
  Optimizer(const OptimizerSettings& settings, const Network& network)
      : settings_(settings), network_(network), velocity_(network.tensors()) {}

  /// What is to be subtracted from the weights. Layers before `firstLayer` are frozen: nothing is subtracted, and their
  /// momentum stays.
  Tensors step(const Tensors& weights, const Tensors& gradient, int firstLayer);

 private:
  bool centralizes(const Tensor& tensor) const;
  double decayOf(const Tensor& tensor) const;
  Tensor along(const Tensor& weight, const Tensor& gradient) const;

  OptimizerSettings settings_;
  const Network& network_;
  Tensors velocity_;
  bool first_ = true;
};

}  // namespace slipstream::reference
