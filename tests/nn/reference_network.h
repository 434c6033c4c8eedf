#pragma once

#include <vector>

#include "engine/plan/network_spec.h"

namespace slipstream::test {

/// A network in double and plain loops, only forward and only in training mode: what the engine's layers are compared
/// with, and what finite differences are taken of. `weights` in forward order of NetworkShape::tensors, end to end.
class ReferenceNetwork {
 public:
  ReferenceNetwork(const NetworkSpec& network, SampleShape input);
  std::vector<double> forward(const std::vector<double>& input, std::int64_t batch,
                              const std::vector<double>& weights) const;
  const NetworkShape& shape() const { return shape_; }
  std::int64_t weightCount() const;

 private:
  NetworkSpec network_;
  NetworkShape shape_;
};

}  // namespace slipstream::test
