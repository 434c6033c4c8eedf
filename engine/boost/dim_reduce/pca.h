// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/base/clock.h"
#include "engine/boost/dim_reduce/projection.h"
#include "engine/boost/dim_reduce/snapshots.h"
#include "engine/comm/communicator.h"

namespace slipstream {

/// The time that making the projection may take (dim_reduce.timeout).
class Deadline {
 public:
  explicit Deadline(double seconds) : seconds_(seconds) {}
  /// Throws Error naming the setting where the time is over.
  void check() const;

 private:
  double seconds_;
  Stopwatch watch_;
};

/// Fills `projection` with the first principal components of the snapshots, as many as it has rows, and gives each
/// one's share of the snapshots' variance. The n x n matrix of dot products (Gram matrix) of the centred snapshots is
/// added up in double over blocks of columns, each rank its own, then over ranks in a fixed order; every rank takes
/// the same eigenvectors of it (Eigen), of which the first of the largest entries is positive. Collective. Throws Error
/// with both numbers where there are not more snapshots than components, or where the snapshots vary in fewer
/// directions than that.
std::vector<double> principalComponents(WeightSnapshots& snapshots, const ParameterLayout& layout,
                                        Communicator& communicator, const Deadline& deadline, Projection& projection);

}  // namespace slipstream
