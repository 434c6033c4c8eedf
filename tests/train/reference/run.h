// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>

#include "tests/train/reference/freezing.h"
#include "tests/train/reference/optimizer.h"
#include "tests/train/reference/subspace.h"

namespace slipstream::reference {

/// What makes the update of a step.
enum class Update { averaged, adasumOfGradients, adasumOfDeltas, subspace };

struct Settings {
  std::vector<int> leafOfRank;  ///< of Adasum: ranks of one leaf take the mean; one number a rank
  std::int64_t samples = 0;     ///< of the data set, seen in their order
  std::int64_t batch = 0;       ///< of a rank
  bool dropRemainder = true;
  int steps = 0;
  int batchesPerStep = 1;  ///< grad_accumulation's step form
  int microBatches = 1;
  bool sumsMicroBatches = false;
  bool sumsRanks = false;  ///< instead of their mean
  Update update = Update::averaged;
  OptimizerSettings optimizer;
  FreezeSettings freezing;
  /// What every rank does to its gradient before it is exchanged.
  std::vector<std::function<void(Tensors&)>> gradientPasses = {};
  SubspaceSettings subspace;
  double lossScale = 1;        ///< of the first step; a step whose scale is no float overflows everywhere
  double lossScaleFactor = 2;  ///< by which an overflow divides it

  int ranks() const { return static_cast<int>(leafOfRank.size()); }
};

/// The data set: samples one after another.
struct Data {
  std::size_t elements = 0;  ///< of one sample
  std::vector<double> inputs;
  std::vector<int> labels;
};

/// Where a training stands.
struct State {
  Tensors weights;
  std::vector<Tensors> statistics;  ///< running ones, by rank
  std::int64_t batchesRead = 0;     ///< in the order of the data
};

struct Outcome {
  State state;
  std::vector<double> losses;          ///< mean over samples, by step
  std::vector<Tensors> weightsByStep;  ///< after each
  Margin margin;
};

/// A whole training in float64, ranks one after another. The projection is that of Update::subspace.
Outcome train(const Network& network, const Settings& settings, const Data& data, State start,
              const Eigen::MatrixXd& projection = {});

}  // namespace slipstream::reference
