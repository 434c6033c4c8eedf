// SPDX-License-Identifier: GPL-3.0-or-later
#include <fmt/format.h>

#include "engine/base/text.h"
#include "engine/store/verified_checkpoint.h"

namespace slipstream {

Series readIntactSeries(RunStore& store, const std::string& runId, const std::string& metric,
                        std::vector<std::string>& damaged) {
  try {
    return store.series(runId, metric);
  } catch (const StoreDamaged&) {
    damaged.push_back(metric);
    return {};
  }
}

Series readIntactSeries(RunStore& store, const std::string& runId, const std::string& metric,
                        std::vector<std::string>& damaged, const StepRange& steps) {
  try {
    return store.seriesWithin(runId, metric, steps);
  } catch (const StoreDamaged&) {
    damaged.push_back(metric);
    return {};
  }
}

std::vector<std::string> intactMetricNames(RunStore& store, const std::string& runId,
                                           std::vector<std::string>& damaged) {
  try {
    return store.metricNames(runId);
  } catch (const StoreDamaged&) {
    damaged.emplace_back("every metric");
    return {};
  }
}

std::string damageText(const std::vector<std::string>& damaged) {
  if (damaged.empty()) return {};
  return fmt::format("values of {} are damaged; 'slipstream store verify' tells how far", join(damaged, ", "));
}

}  // namespace slipstream
