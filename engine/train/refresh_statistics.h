#pragma once

#include "engine/comm/communicator.h"
#include "engine/data/dataset.h"
#include "engine/nn/network.h"

namespace slipstream {

/// Where the pass reads: one epoch of the sampler's order.
struct EpochOfData {
  const DatasetSpec& dataset;
  const Images& images;
  Sampler& sampler;
  std::int64_t firstStep;
  std::int64_t steps;
  std::int64_t samplesPerPass;  ///< that the network has room for
};

/// Forward passes in training mode over one epoch, which leave every running statistic as the plain mean of the
/// batches' of all ranks, weighted by their samples (not as the moving mean that training keeps). Weights stay.
/// Collective; the same result on every rank.
void refreshStatistics(Network& network, ParameterStore& weights, const NetworkSpec& spec, const EpochOfData& data,
                       Communicator& communicator);

}  // namespace slipstream
