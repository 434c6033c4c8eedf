// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/spec/experiment.h"

namespace slipstream {

/// What inputs are normalised by, one number a channel: of images whose values go from 0 to 1, or of floats.
struct ImageNormalization {
  std::vector<double> mean;
  std::vector<double> deviation;
};

/// As the data set has it: one number for all channels, or each its own.
ImageNormalization normalizationOf(const DatasetSpec& dataset, std::int64_t channels);

}  // namespace slipstream
