// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/spec/network_spec.h"

namespace slipstream::test {

/// A network in double and plain loops, only in training mode: what the engine's layers are compared
/// with, and what finite differences are taken of. `weights` in forward order of NetworkShape::tensors, end to end.
class ReferenceNetwork {
 public:
  ReferenceNetwork(const NetworkSpec& network, SampleShape input);
  std::vector<double> forward(const std::vector<double>& input, std::int64_t batch,
                              const std::vector<double>& weights) const;
  /// d(direction . output)/d(weights), by the chain rule through every layer.
  std::vector<double> gradients(const std::vector<double>& input, std::int64_t batch,
                                const std::vector<double>& weights, const std::vector<double>& direction) const;
  const NetworkShape& shape() const { return shape_; }
  std::int64_t weightCount() const;

 private:
  /// The outputs of all layers.
  std::vector<std::vector<double>> outputs(const std::vector<double>& input, std::int64_t batch,
                                           const std::vector<double>& weights) const;
  /// Where the weights of each layer begin.
  std::vector<std::size_t> offsets() const;

  NetworkSpec network_;
  NetworkShape shape_;
};

}  // namespace slipstream::test
