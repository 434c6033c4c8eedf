// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

#include "engine/document/chart_layout.h"

namespace slipstream {

std::vector<AxisTick> labelledX(const ChartModel& chart, const std::vector<double>& ticks, Language language);
std::vector<AxisTick> labelledY(const ValueAxis& axis);
/// What local clocks are ahead of UTC at a time since 1970.
double zoneSeconds(double time);

}  // namespace slipstream
