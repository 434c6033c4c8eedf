// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>
#include <vector>

#include "engine/record/metric_info.h"

namespace slipstream {

/// Every metric, in the order of lists: the general ones, then those of each algorithm.
const std::vector<MetricInfo>& metricInfos();
/// Null for a metric that only another version knows.
const MetricInfo* findMetric(std::string_view name);
Better betterOf(std::string_view metric);

}  // namespace slipstream
