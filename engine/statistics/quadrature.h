// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <vector>

namespace slipstream {

/// A point of a quadrature and its weight.
struct QuadraturePoint {
  double at = 0;
  double weight = 0;
};

/// Points of Gauss and Legendre's rule of order 8, put on each of `panels` equal parts of [low, high]: exact for
/// polynomials of degree 15 on each.
inline std::vector<QuadraturePoint> quadrature(double low, double high, int panels) {
  constexpr std::array<std::array<double, 2>, 4> rule{{{0.1834346424956498, 0.3626837833783620},
                                                       {0.5255324099163290, 0.3137066458778873},
                                                       {0.7966664774136267, 0.2223810344533745},
                                                       {0.9602898564975363, 0.1012285362903763}}};
  std::vector<QuadraturePoint> points;
  const double half = (high - low) / (2 * panels);
  for (int panel = 0; panel < panels; ++panel) {
    const double middle = low + (2 * panel + 1) * half;
    for (const auto& [node, weight] : rule) {
      points.push_back({middle - node * half, weight * half});
      points.push_back({middle + node * half, weight * half});
    }
  }
  return points;
}

/// Of the ratio of an estimated to the true standard deviation (chi over the square root of its degrees of freedom):
/// points that cover it, with its density in their weights. Valid as long as the thread is.
const std::vector<QuadraturePoint>& spreadPoints(int degrees);

/// The mean of `value` over that ratio.
template <class Value>
double meanOverSpread(int degrees, const Value& value) {
  double sum = 0;
  for (const auto& [ratio, weight] : spreadPoints(degrees)) sum += weight * value(ratio);
  return sum;
}

/// The place between `low` and `high` where `rises`, which rises, passes zero: halves the interval `steps` times.
template <class Rises>
double bisect(const Rises& rises, double low, double high, int steps = 100) {
  for (int i = 0; i < steps && low < high; ++i) {
    const double middle = (low + high) / 2;
    if (middle == low || middle == high) break;
    (rises(middle) < 0 ? low : high) = middle;
  }
  return (low + high) / 2;
}

}  // namespace slipstream
