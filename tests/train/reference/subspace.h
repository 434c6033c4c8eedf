// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <optional>

#include <Eigen/Dense>

#include "tests/train/reference/network.h"

namespace slipstream::reference {

/// dim_reduce's settings.
struct SubspaceSettings {
  bool sgd = false;
  int components = 1;
  double rho = 0.55, sigma = 0.4;
  int tries = 20;
  double alpha = 0.001, gamma = 0.9;
  double decay = 0;
  double rate = 0, momentum = 0;  ///< of the method sgd: the optimizer's
};

/// The principal components of weights that were passed on the way, as rows.
Eigen::MatrixXd principalComponents(const std::vector<Tensors>& snapshots, int components);

/// P-BFGS and P-SGD (Li et al. 2021; the formulas of dim_reduce's README).
class Subspace {
 public:
  Subspace(const SubspaceSettings& settings, Eigen::MatrixXd projection);

  /// What a step needs of the network.
  struct StepInput {
    const Tensors& weights;
    const Tensors& gradient;  ///< the mean of the ranks'
    double loss;
    int firstLayer;
    std::function<double(const Tensors&)> lossAt;
  };
  /// The new weights.
  Tensors step(const StepInput& input, Margin& margin);

 private:
  Eigen::VectorXd direction(const Eigen::VectorXd& inside, const StepInput& input, Margin& margin);
  double search(const StepInput& input, const Tensors& along, double slope, Margin& margin) const;
  Tensors bfgsStep(const StepInput& input, Margin& margin);
  Tensors sgdStep(const StepInput& input);

  SubspaceSettings settings_;
  Eigen::MatrixXd projection_;
  Eigen::MatrixXd curvature_;              ///< the inverse Hessian
  std::optional<Eigen::VectorXd> before_;  ///< gk of the last accepted step
  int beforeLayer_ = 0;                    ///< from which that step trained
  Eigen::VectorXd accepted_;
  Eigen::VectorXd velocity_;
  std::optional<Tensors> residual_;
};

}  // namespace slipstream::reference
