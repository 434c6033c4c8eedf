// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace slipstream {

/// The quasi-Newton method in a space of few dimensions: an approximation of the inverse Hessian, which learns from
/// every accepted step (BFGS). Double throughout. For each step: direction(), then accepted() or
/// rejected().
class Bfgs {
 public:
  /// `severalFunctions`: gradients may come of functions of different variables, as where layers are frozen in turn.
  explicit Bfgs(int dimensions, bool severalFunctions = false);

  /// Takes in how the gradient changed over the last accepted step, unless that shows no positive curvature (y's at
  /// most 1e-20) or the gradient before was of another function: the difference of two functions' gradients is no
  /// curvature of either. Gives d = -B g, valid until the next call. `function` is counted where there are several.
  std::span<const double> direction(std::span<const double> gradient, std::int64_t function = 0);
  /// The step was rate * direction.
  void accepted(double rate);
  /// No step was made: the inverse Hessian and the gradient to compare with are again what they were before.
  void rejected();

  /// The inverse Hessian, row by row.
  std::span<const double> inverseHessian() const { return std::span(state_).first(dimensions_ * dimensions_); }
  /// All that the next step depends on: inverse Hessian, last gradient, last accepted step, and where there are several
  /// functions the one that the last gradient is of.
  std::span<double> state() { return state_; }

 private:
  std::span<double> lastGradient() { return std::span(state_).subspan(dimensions_ * dimensions_, dimensions_); }
  std::span<double> lastStep() { return std::span(state_).subspan((dimensions_ + 1) * dimensions_, dimensions_); }
  void learn(std::span<const double> change);

  std::size_t dimensions_;
  bool severalFunctions_;
  std::vector<double> state_;
  std::vector<double> before_;  ///< state_ as it was before direction()
  std::vector<double> direction_;
};

}  // namespace slipstream
