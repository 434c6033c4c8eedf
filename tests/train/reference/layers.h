// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>

#include "tests/train/reference/network.h"

namespace slipstream::reference {

/// One layer of one pass: what it reads and what it gives, in float64. Gradients of inputs and tensors are added to.
struct LayerValues {
  const Layer& layer;
  std::size_t count;  ///< samples
  std::span<const double> input;
  std::span<const double> with;  ///< Kind::sum
  const Tensors& weights;
};

std::vector<double> forwardOf(const LayerValues& values);

/// `outputGradient` is dLoss/dOutput; `withGradient` is Kind::sum's.
void backwardOf(const LayerValues& values, std::span<const double> outputGradient, std::span<double> inputGradient,
                std::span<double> withGradient, Tensors& gradient);

/// Means and biased variances of the channels, of a batch norm's input.
struct ChannelMoments {
  std::vector<double> means, variances;
  double values = 0;  ///< that each is made of
};
ChannelMoments channelMoments(const LayerValues& values);

}  // namespace slipstream::reference
