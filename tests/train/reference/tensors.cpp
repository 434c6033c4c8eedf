// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/tensors.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace slipstream::reference {

Tensors zerosLike(const Tensors& tensors) {
  Tensors zeros = tensors;
  for (Tensor& tensor : zeros) std::ranges::fill(tensor.values, 0.0);
  return zeros;
}

void add(Tensors& to, double factor, const Tensors& from) {
  for (std::size_t t = 0; t < to.size(); ++t) {
    for (std::size_t i = 0; i < to[t].values.size(); ++i) to[t].values[i] += factor * from[t].values[i];
  }
}

double dot(const Tensor& a, const Tensor& b) {
  return std::inner_product(a.values.begin(), a.values.end(), b.values.begin(), 0.0);
}

double dot(const Tensors& a, const Tensors& b) {
  double sum = 0;
  for (std::size_t t = 0; t < a.size(); ++t) sum += dot(a[t], b[t]);
  return sum;
}

Tensors fromLayer(Tensors tensors, int layer) {
  for (Tensor& tensor : tensors) {
    if (tensor.layer < layer) std::ranges::fill(tensor.values, 0.0);
  }
  return tensors;
}

std::vector<std::size_t> channelsFirst(const Tensor& tensor) {
  const std::size_t inputs = tensor.values.size() / tensor.rows / tensor.taps;
  std::vector<std::size_t> places;
  for (std::size_t row = 0; row < tensor.rows; ++row) {
    for (std::size_t input = 0; input < inputs; ++input) {
      for (std::size_t tap = 0; tap < tensor.taps; ++tap) places.push_back((row * tensor.taps + tap) * inputs + input);
    }
  }
  return places;
}

void centralize(Tensor& tensor) {
  const std::size_t columns = tensor.values.size() / tensor.rows;
  for (std::size_t row = 0; row < tensor.rows; ++row) {
    const auto values = std::span(tensor.values).subspan(row * columns, columns);
    const double mean = std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(columns);
    for (double& value : values) value -= mean;
  }
}

}  // namespace slipstream::reference
