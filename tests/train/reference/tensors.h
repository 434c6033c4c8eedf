// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace slipstream::reference {

/// A trained tensor, its gradient, or anything else that has its shape; row-major, in float64.
struct Tensor {
  std::string name;
  int layer = 0;         ///< index of the layer that it belongs to
  std::size_t rows = 1;  ///< its first dimension
  bool hasRows = false;  ///< two dimensions or more: gradient centralisation acts on it
  std::vector<double> values = {};
  std::size_t taps = 1;  ///< of a convolution's kernel: a row is [taps, inputs]
};

/// In forward order.
using Tensors = std::vector<Tensor>;

/// The same tensors, all zero.
Tensors zerosLike(const Tensors& tensors);
/// to += factor * from.
void add(Tensors& to, double factor, const Tensors& from);
double dot(const Tensor& a, const Tensor& b);
double dot(const Tensors& a, const Tensors& b);
/// Zero in every tensor of a layer before `layer`.
Tensors fromLayer(Tensors tensors, int layer);
/// Where each value stands when the inputs of a convolution come before its taps, as MindSpore has them.
std::vector<std::size_t> channelsFirst(const Tensor& tensor);
/// Subtracts the mean of each row.
void centralize(Tensor& tensor);

}  // namespace slipstream::reference
