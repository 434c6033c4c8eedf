// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/adasum.h"

#include <cmath>
#include <limits>

namespace slipstream::reference {
namespace {

double coefficient(double product, double square) {
  const bool vanishes = square < std::sqrt(std::numeric_limits<double>::min());
  return vanishes ? 1 : 1 - product / (2 * square);
}

Tensors pairOf(const Tensors& a, const Tensors& b) {
  Tensors combined = zerosLike(a);
  for (std::size_t t = 0; t < a.size(); ++t) {
    const double product = dot(a[t], b[t]);
    const double ofA = coefficient(product, dot(a[t], a[t]));
    const double ofB = coefficient(product, dot(b[t], b[t]));
    for (std::size_t i = 0; i < a[t].values.size(); ++i) {
      combined[t].values[i] = ofA * a[t].values[i] + ofB * b[t].values[i];
    }
  }
  return combined;
}

}  // namespace

Tensors adasum(std::vector<Tensors> leaves) {
  while (leaves.size() > 1) {
    std::vector<Tensors> nodes;
    for (std::size_t i = 0; i + 1 < leaves.size(); i += 2) nodes.push_back(pairOf(leaves[i], leaves[i + 1]));
    if (leaves.size() % 2 == 1) nodes.push_back(leaves.back());
    leaves = std::move(nodes);
  }
  return leaves.front();
}

}  // namespace slipstream::reference
