// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/spec/experiment.h"

namespace slipstream {

/// Which samples of a data set without an evaluation part are evaluated on; all others are trained.
struct EvaluationSplit {
  std::vector<bool> evaluates;  ///< by sample
  std::int64_t evaluation = 0;
  std::string hash;  ///< SHA-256 of the numbers of the samples to evaluate on, a line each, in ascending order
};

/// dataset.evaluation_fraction of the samples, rounded, but at least one sample in each part, unless it is 1: all of
/// them. Drawn by dataset.split_seed. Fails below two samples (one, where all are evaluated on), and above 2^32.
Result<EvaluationSplit> drawSplit(const DatasetSpec& dataset, std::int64_t samples);

/// The same share of them, but the last ones: of samples whose neighbours resemble each other.
Result<EvaluationSplit> splitAtEnd(const DatasetSpec& dataset, std::int64_t samples);

}  // namespace slipstream
