// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "engine/plan/run_plan.h"
#include "tests/train/reference/run.h"

namespace slipstream::reference {

/// One training, as the product is told of it and as the reference is.
struct Case {
  nlohmann::json experiment;
  Settings settings;
  std::vector<std::size_t> hidden = {};  ///< a multilayer perceptron of these widths instead of the convolutions
  bool lessBn = false;
  bool unevenServers = false;       ///< the ranks stand in a rank table, the last one alone on its server
  double overflowingScale = 0;      ///< where not 0: the plan's first loss scale, larger than a file may ask for
  Eigen::MatrixXd projection = {};  ///< where it has rows: dim_reduce reads them, and looks back at no weights
  bool byMessages = false;          ///< ranks share no memory
  std::uint64_t seed = 1;

  void patch(const std::string& changes) { experiment.merge_patch(nlohmann::json::parse(changes)); }
};

/// A convolution, a bottleneck block and a dense layer on generated digits in their order: plain training with momentum
/// and weight decay.
Case plainCase(int ranks);

/// The same of a network without batch norm: a multilayer perceptron.
Case plainPerceptronCase(int ranks);

/// What the reference does where an algorithm of the interplay table is on, and what its network needs of the
/// experiment. A static object in the algorithm's own file makes it known.
struct Meaning {
  Meaning(const std::string& algorithm, std::function<void(Case&)> apply);
};

/// Switches an algorithm of the interplay table on, on both sides.
void switchOn(Case& both, const std::string& algorithm);

/// What is not in the table and changes the arithmetic of every algorithm.
struct Condition {
  const char* name;
  std::vector<std::string> excluded;  ///< algorithms whose keys it takes
  std::function<void(Case&)> apply;
};
const std::vector<Condition>& conditions();

/// The network of every case, as the reference computes it.
Network networkOf(const Case& both);

}  // namespace slipstream::reference
