// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/boost/metrics.h"

#include <algorithm>

#include "engine/boost/algorithms.h"

namespace slipstream {
namespace {

std::vector<MetricInfo> collectMetrics() {
  std::vector<MetricInfo> all(generalMetrics.begin(), generalMetrics.end());
  for (const AlgorithmSpec& algorithm : algorithms()) {
    all.insert(all.end(), algorithm.metrics.begin(), algorithm.metrics.end());
  }
  return all;
}

}  // namespace

const std::vector<MetricInfo>& metricInfos() {
  static const std::vector<MetricInfo> all = collectMetrics();
  return all;
}

const MetricInfo* findMetric(std::string_view name) {
  const auto found = std::ranges::find_if(metricInfos(), [&](const MetricInfo& info) { return info.describes(name); });
  return found == metricInfos().end() ? nullptr : &*found;
}

Better betterOf(std::string_view metric) {
  const MetricInfo* info = findMetric(metric);
  return info == nullptr ? Better::neither : info->better;
}

}  // namespace slipstream
