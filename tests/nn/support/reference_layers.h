// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/spec/network_spec.h"

namespace slipstream::test {

inline std::size_t index(std::int64_t value) {
  return static_cast<std::size_t>(value);
}

/// Where the window of output `position` begins along one dimension.
std::int64_t firstOf(const LayerSpec& layer, std::int64_t position, std::int64_t inputSize, std::int64_t outputSize);

/// What the chain rule needs at one layer.
struct LayerBackward {
  const LayerSpec& layer;
  SampleShape inputShape;
  SampleShape outputShape;
  std::int64_t batch;
  const std::vector<double>& input;
  const std::vector<double>& output;
  const std::vector<double>& outputGradient;
  const double* weights;
};

/// Adds what the layer passes to its (first) input, and the gradients of its weights. Not for normalizedDense.
void addLayerGradients(const LayerBackward& pass, std::vector<double>& inputGradient, double* weightGradients);

}  // namespace slipstream::test
