// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "engine/analysis/comparison.h"
#include "engine/document/chart_model.h"
#include "engine/record/metric_info.h"

namespace slipstream {

// The curves of compared runs. Seconds are those of training, a step being where the variant's seeds were on average.

/// The metrics whose curves a comparison shows.
inline constexpr std::array comparedMetrics{metric::accuracy, metric::loss};

// Of very many variants those are drawn whose accuracies differ most from the reference's (compared_accuracy.h).

/// One metric of the variants that have it; nothing where none has. `columns`: device pixels across the plot. Losses
/// get a log axis where they span more than a decade, and are smoothed where there are many; accuracies are in percent.
std::optional<ChartModel> metricChart(RunStore& store, const Comparison& comparison, const std::string& metric,
                                      ChartX axis, int columns);

/// How many seeds of each variant had reached the target by then: a curve rises by one at each. Of the first stage of
/// each run that has a target; nothing where none has.
std::optional<ChartModel> reachedChart(const Comparison& comparison, ChartX axis);

}  // namespace slipstream
