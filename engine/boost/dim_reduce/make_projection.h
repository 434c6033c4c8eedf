// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/boost/dim_reduce/projection.h"
#include "engine/boost/step_slots.h"

namespace slipstream {

/// The projection of a run, and where it was computed each component's share of the snapshots' variance.
struct ReadyProjection {
  Projection projection;
  std::vector<double> explainedVariance;
};

/// Rank 0 reads the projection from dim_reduce.pca_mat_path where the plan says so. Otherwise takes the principal
/// components of the snapshots, and rank 0 writes them there where the plan says that. Collective. Throws Error,
/// naming file or setting, where neither is possible, the file fits another network, or dim_reduce.timeout is over.
ReadyProjection makeProjection(const UpdateContext& parts);

}  // namespace slipstream
