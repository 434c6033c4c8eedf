// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

#include "engine/analysis/curve_source.h"
#include "engine/document/chart_model.h"
#include "engine/store/run_store.h"

namespace slipstream::ui {

/// What the run had come to where each of its checkpoints was written: its accuracy and its loss over steps, with an
/// upright line at each of `steps`, drawn with the run's pen. For the store's reader, in whose thread the source lives;
/// charts of what the run did not measure are left out.
std::vector<ChartModel> checkpointCharts(RunStore& store, CurveSource& source, const CurveRun& run, int pen,
                                         const std::vector<std::int64_t>& steps);

}  // namespace slipstream::ui
