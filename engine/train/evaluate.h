#pragma once

#include <string>
#include <vector>

#include "engine/comm/communicator.h"
#include "engine/data/sample_source.h"
#include "engine/nn/network.h"

namespace slipstream {

struct Evaluation {
  double accuracy = 0;  ///< share of the whole set, 0..1
  double loss = 0;      ///< mean over the whole set
  std::int64_t samples = 0;
  std::vector<std::string> skipped = {};  ///< what was said of this rank's samples that others stood in for
};

/// Every sample once, shared out over the ranks; running statistics are averaged over the ranks for it and put back.
/// Collective; the same result on every rank.
Evaluation evaluate(Network& network, ParameterStore& weights, const LossSpec& loss, const DatasetSpec& dataset,
                    const SampleSource& source, std::int64_t batchSize, Communicator& communicator);

}  // namespace slipstream
