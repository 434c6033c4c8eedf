// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "engine/spec/network_spec.h"

namespace slipstream::test {

/// Tensors of the given names and shapes in forward order, one layer each.
inline NetworkShape shapeOf(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& tensors) {
  NetworkShape shape;
  for (const auto& [name, dimensions] : tensors) {
    TensorSpec tensor;
    tensor.name = name;
    tensor.shape = dimensions;
    tensor.layer = static_cast<int>(shape.tensors.size());
    shape.tensors.push_back(tensor);
  }
  return shape;
}

/// `count` tensors of one element.
inline NetworkShape unitTensors(int count) {
  NetworkShape shape;
  for (int i = 0; i < count; ++i) shape.tensors.push_back({"t" + std::to_string(i), {1}, i, 1, 1, {}});
  return shape;
}

}  // namespace slipstream::test
