// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/dim_reduce/bfgs.h"

#include <algorithm>
#include <numeric>

namespace slipstream {
namespace {

/// Below it the change of the gradient says nothing about curvature.
constexpr double leastCurvature = 1e-20;

double dot(std::span<const double> left, std::span<const double> right) {
  return std::inner_product(left.begin(), left.end(), right.begin(), 0.0);
}

std::vector<double> times(std::span<const double> matrix, std::span<const double> vector) {
  std::vector<double> product;
  const std::size_t columns = vector.size();
  for (std::size_t row = 0; row < columns; ++row)
    product.push_back(dot(matrix.subspan(row * columns, columns), vector));
  return product;
}

}  // namespace

/// Without a step before the first one, y's is 0 and nothing is learnt.
Bfgs::Bfgs(int dimensions, bool severalFunctions)
    : dimensions_(static_cast<std::size_t>(dimensions)),
      severalFunctions_(severalFunctions),
      state_(dimensions_ * dimensions_ + 2 * dimensions_ + (severalFunctions ? 1 : 0)) {
  for (std::size_t i = 0; i < dimensions_; ++i) state_[i * dimensions_ + i] = 1;
}

std::span<const double> Bfgs::direction(std::span<const double> gradient, std::int64_t function) {
  before_ = state_;
  std::vector<double> change(gradient.begin(), gradient.end());
  std::ranges::transform(change, lastGradient(), change.begin(), std::minus());
  const auto asked = static_cast<double>(function);
  if (!severalFunctions_ || state_.back() == asked) learn(change);
  if (severalFunctions_) state_.back() = asked;
  std::ranges::copy(gradient, lastGradient().begin());
  direction_ = times(inverseHessian(), gradient);
  for (double& value : direction_) value = -value;
  return direction_;
}

/// B <- T'BT + ss'/ys with T = I - ys'/(y's), multiplied out: B is symmetric.
void Bfgs::learn(std::span<const double> change) {
  const auto step = lastStep();
  const double curvature = dot(change, step);
  if (!(curvature > leastCurvature)) return;
  const std::vector<double> turned = times(inverseHessian(), change);  // B y
  const double along = (dot(change, turned) / curvature + 1) / curvature;
  for (std::size_t i = 0; i < dimensions_; ++i) {
    for (std::size_t j = 0; j < dimensions_; ++j) {
      const double across = (turned[i] * step[j] + step[i] * turned[j]) / curvature;
      state_[i * dimensions_ + j] += along * step[i] * step[j] - across;
    }
  }
}

void Bfgs::accepted(double rate) {
  std::ranges::transform(direction_, lastStep().begin(), [rate](double value) { return rate * value; });
}

void Bfgs::rejected() {
  state_ = before_;
}

}  // namespace slipstream
