// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/run_results.h"

#include <numeric>

#include "engine/record/metric_info.h"
#include "engine/runs/run_outcome.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {

RunResults resultsOf(RunStore& store, const std::string& runId) {
  std::vector<std::string> damaged;
  const auto series = [&](const char* metric) { return readIntactSeries(store, runId, metric, damaged); };
  RunResults results;
  const Series loss = series(metric::loss);
  if (!loss.values.empty()) {
    results.loss = finalLoss(loss);
    results.steps = loss.steps.back() + 1;
  }
  const Series seconds = series(metric::stepSeconds);
  if (!seconds.values.empty()) {
    results.seconds = std::accumulate(seconds.values.begin(), seconds.values.end(), 0.0);
  }
  const Series accuracy = series(metric::accuracy);
  if (!accuracy.values.empty()) results.accuracy = accuracy.values.back();
  const Series testLoss = series(metric::evaluationLoss);
  if (!testLoss.values.empty()) results.testLoss = testLoss.values.back();
  return results;
}

}  // namespace slipstream
