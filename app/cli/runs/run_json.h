// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "engine/plan/run_plan.h"
#include "engine/record/series.h"
#include "engine/store/run_store.h"

namespace slipstream::cli {

struct NamedSummary {
  std::string metric;
  SeriesSummary summary;
};
/// Of every metric of a run that has values.
/// Metrics whose values cannot be read join `damaged`.
std::vector<NamedSummary> summaries(RunStore& store, const RunRecord& run, std::vector<std::string>& damaged);

/// What a run was asked to be and its state, which lists and `show` have in common.
nlohmann::ordered_json headJson(const RunRecord& run);

/// All that `show` prints.
nlohmann::ordered_json runJson(RunStore& store, const RunRecord& run, const RunPlan& plan);

}  // namespace slipstream::cli
