// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

#include "engine/store/run_store.h"

namespace slipstream {

/// What came of a run, in the few numbers of a list. Accuracies are fractions of 1.
struct RunResults {
  std::int64_t steps = 0;
  std::optional<double> loss;      ///< training loss, mean of the last finalLossSteps
  std::optional<double> accuracy;  ///< of the last evaluation
  std::optional<double> testLoss;  ///< of the last evaluation
  std::optional<double> seconds;   ///< of all training steps together
};

/// Reads three metrics of the run. What is damaged is missing.
RunResults resultsOf(RunStore& store, const std::string& runId);

}  // namespace slipstream
