// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/plan/run_plan.h"

namespace slipstream {

/// What is wrong with the files that dim_reduce looks back at: the matrix of pca_mat_path and its rows, or the headers
/// of the files in the folder weight_load_dir. `shape` is the network's that is trained.
Failures checkPastWeights(const Experiment& experiment, const NetworkShape& shape);

/// One failure for each path of a matrix that several stages or variants would write.
Failures checkMatrixPaths(const std::vector<RunPlan>& plans);

}  // namespace slipstream
