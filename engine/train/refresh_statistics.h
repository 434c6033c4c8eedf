// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/comm/communicator.h"
#include "engine/data/loader.h"
#include "engine/train/network_passes.h"

namespace slipstream {

/// Where the pass reads: the steps of one epoch.
struct EpochOfData {
  Loader& loader;
  std::int64_t firstStep;
  std::int64_t steps;
  std::int64_t samplesPerPass;  ///< that the network has room for
};

/// Forward passes in training mode over one epoch, which leave every running statistic as the plain mean of the
/// batches' of all ranks, weighted by their samples (not as the moving mean that training keeps). Weights stay.
/// Collective; the same statistics on every rank. Returns what was said of this rank's samples that others stood in
/// for.
std::vector<std::string> refreshStatistics(NetworkPasses& passes, ParameterStore& weights, const NetworkSpec& spec,
                                           const EpochOfData& data, Communicator& communicator);

}  // namespace slipstream
