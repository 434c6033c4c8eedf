// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/experiment.h"

namespace slipstream {

/// One layer as a table shows it.
struct LayerSummary {
  std::string name;
  std::string kind;    ///< as files write it: "conv2d"
  std::string output;  ///< of one sample: "28 × 28 × 6", or the number of values
  std::int64_t parameters = 0;
};

/// The layers of the experiment's network in forward order; none where it does not fit its data.
std::vector<LayerSummary> summarize(const Experiment& experiment);

}  // namespace slipstream
