// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/train/reference/subspace.h"

#include <cmath>

namespace slipstream::reference {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

VectorXd flat(const Tensors& tensors) {
  std::vector<double> values;
  for (const Tensor& tensor : tensors) values.insert(values.end(), tensor.values.begin(), tensor.values.end());
  return VectorXd::Map(values.data(), std::ssize(values));
}

Tensors shaped(const VectorXd& values, const Tensors& like) {
  Tensors tensors = like;
  Eigen::Index at = 0;
  for (Tensor& tensor : tensors) {
    for (double& value : tensor.values) value = values[at++];
  }
  return tensors;
}

}  // namespace

MatrixXd principalComponents(const std::vector<Tensors>& snapshots, int components) {
  MatrixXd rows(std::ssize(snapshots), flat(snapshots.front()).size());
  for (std::size_t s = 0; s < snapshots.size(); ++s) rows.row(static_cast<Eigen::Index>(s)) = flat(snapshots[s]);
  const MatrixXd centred = rows.rowwise() - rows.colwise().mean();
  const Eigen::JacobiSVD<MatrixXd> factors(centred.transpose(), Eigen::ComputeThinU);
  return factors.matrixU().leftCols(components).transpose();
}

Subspace::Subspace(const SubspaceSettings& settings, MatrixXd projection)
    : settings_(settings),
      projection_(std::move(projection)),
      curvature_(MatrixXd::Identity(settings.components, settings.components)),
      accepted_(VectorXd::Zero(settings.components)),
      velocity_(VectorXd::Zero(settings.components)) {}

Tensors Subspace::step(const StepInput& input, Margin& margin) {
  return settings_.sgd ? sgdStep(input) : bfgsStep(input, margin);
}

Tensors Subspace::sgdStep(const StepInput& input) {
  velocity_ = settings_.momentum * velocity_ + projection_ * flat(fromLayer(input.gradient, input.firstLayer));
  const VectorXd step = projection_.transpose() * velocity_;
  Tensors weights = input.weights;
  add(weights, -settings_.rate, fromLayer(shaped(step, weights), input.firstLayer));
  add(weights, -settings_.rate * settings_.decay, fromLayer(input.weights, input.firstLayer));
  return weights;
}

/// -B gk, after B has learned from the step before, if that trained the same layers.
VectorXd Subspace::direction(const VectorXd& inside, const StepInput& input, Margin& margin) {
  constexpr double leastCurvature = 1e-20;
  if (before_ && beforeLayer_ == input.firstLayer) {
    const VectorXd y = inside - *before_;
    const double ys = y.dot(accepted_);
    // gk is rounded in proportion to the whole gradient, and B is divided by ys: a small one lets rounding grow.
    constexpr double growth = 1e-4;
    const double length = std::sqrt(dot(input.gradient, input.gradient));
    if (accepted_.norm() > 0) margin.note(growth * std::abs(ys) / (length * accepted_.norm()));
    if (ys > leastCurvature) {
      const MatrixXd turn = MatrixXd::Identity(y.size(), y.size()) - y * accepted_.transpose() / ys;
      curvature_ = turn.transpose() * curvature_ * turn + accepted_ * accepted_.transpose() / ys;
    }
  }
  return -(curvature_ * inside);
}

/// The rate of the first power of rho whose loss decreases enough; 0: none does.
double Subspace::search(const StepInput& input, const Tensors& along, double slope, Margin& margin) const {
  if (slope >= 0) return 0;
  double rate = 1;
  for (int power = 0; power < settings_.tries; ++power, rate *= settings_.rho) {
    Tensors trial = input.weights;
    add(trial, rate, along);
    const double excess = input.lossAt(trial) - (input.loss + settings_.sigma * rate * slope);
    margin.note(std::abs(excess) / input.loss);
    if (excess < 0) return rate;
  }
  return 0;
}

Tensors Subspace::bfgsStep(const StepInput& input, Margin& margin) {
  const Tensors gradient = fromLayer(input.gradient, input.firstLayer);
  const VectorXd inside = projection_ * flat(gradient);
  const MatrixXd curvatureBefore = curvature_;
  const VectorXd down = direction(inside, input, margin);
  const Tensors along = fromLayer(shaped(projection_.transpose() * down, input.weights), input.firstLayer);
  const double rate = search(input, along, inside.dot(down), margin);
  if (rate > 0) {
    accepted_ = rate * down;
    before_ = inside;
    beforeLayer_ = input.firstLayer;
  } else {
    curvature_ = curvatureBefore;
  }

  if (!residual_) residual_ = zerosLike(input.weights);
  Tensors outside = gradient;
  add(outside, -1, fromLayer(shaped(projection_.transpose() * inside, input.weights), input.firstLayer));
  add(outside, settings_.gamma, fromLayer(*residual_, input.firstLayer));
  for (std::size_t t = 0; t < outside.size(); ++t) {
    if (outside[t].layer >= input.firstLayer) (*residual_)[t] = outside[t];
  }

  Tensors weights = input.weights;
  add(weights, rate, along);
  add(weights, -settings_.decay, fromLayer(input.weights, input.firstLayer));
  add(weights, -settings_.alpha, fromLayer(*residual_, input.firstLayer));
  return weights;
}

}  // namespace slipstream::reference
