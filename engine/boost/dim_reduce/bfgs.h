#pragma once

#include <span>
#include <vector>

namespace slipstream {

/// The quasi-Newton method in a space of few dimensions: an approximation of the inverse Hessian, which learns from
/// every accepted step (BFGS). Double throughout. For each step: direction(), then accepted() or
/// rejected().
class Bfgs {
 public:
  explicit Bfgs(int dimensions);

  /// Takes in how the gradient changed over the last accepted step, unless that shows no positive curvature (y's at
  /// most 1e-20), and gives d = -B g. Valid until the next call.
  std::span<const double> direction(std::span<const double> gradient);
  /// The step was rate * direction.
  void accepted(double rate);
  /// No step was made: the inverse Hessian and the gradient to compare with are again what they were before.
  void rejected();

  /// The inverse Hessian, row by row.
  std::span<const double> inverseHessian() const { return std::span(state_).first(state_.size() - 2 * dimensions_); }
  /// All that the next step depends on: inverse Hessian, last gradient, last accepted step.
  std::span<double> state() { return state_; }

 private:
  std::span<double> lastGradient() { return std::span(state_).subspan(dimensions_ * dimensions_, dimensions_); }
  std::span<double> lastStep() { return std::span(state_).last(dimensions_); }
  void learn(std::span<const double> change);

  std::size_t dimensions_;
  std::vector<double> state_;
  std::vector<double> before_;  ///< state_ as it was before direction()
  std::vector<double> direction_;
};

}  // namespace slipstream
