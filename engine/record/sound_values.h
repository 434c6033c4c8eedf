// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/record/run_store.h"

namespace slipstream {

/// The same as RunStore::series; an empty one where its values are damaged, and the metric joins `damaged`.
Series soundSeries(RunStore& store, const std::string& runId, const std::string& metric,
                   std::vector<std::string>& damaged);

/// The same as RunStore::metricNames; none where that much is damaged, and "every metric" joins `damaged`.
std::vector<std::string> soundMetricNames(RunStore& store, const std::string& runId, std::vector<std::string>& damaged);

/// "values of loss, accuracy are damaged; 'slipstream store verify' tells how far"; empty where nothing is.
std::string damageText(const std::vector<std::string>& damaged);

}  // namespace slipstream
