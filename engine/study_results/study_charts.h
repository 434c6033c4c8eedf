// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "engine/document/chart_model.h"
#include "engine/study_results/scaling.h"
#include "engine/study_results/study_profile.h"
#include "engine/study_results/time_to_target.h"
#include "engine/study_results/trade_off.h"
#include "engine/study_results/what_next.h"

namespace slipstream {

// What a study came to, as charts. Colours are those of the variants: `pens` has a slot for each (run_colours.h).
using VariantPens = std::map<std::string, int>;

/// Percent of the seeds that had reached the target by then; bands of the variants in `banded` alone.
ChartModel reachedChart(const TimeToTarget& reached, const Study& study, const VariantPens& pens,
                        const std::set<std::string>& banded);

/// Over the ranks, with the ideal: samples a second, speed-up, and what both are of the ideal in percent. Charts that
/// nothing is known for are left out.
std::vector<ChartModel> scalingCharts(const Scaling& scaling, const VariantPens& pens);

/// Accuracy over seconds and over memory, a dot for each variant and combination of factors, with crosses from the
/// lowest to the highest seed. Charts that nothing is known for are left out.
std::vector<ChartModel> tradeOffCharts(const std::vector<TradeOffPoint>& points, const VariantPens& pens);

/// Percent of the workloads that each variant finishes within a factor of the best.
ChartModel profileChart(const std::vector<ProfileCurve>& profile, const VariantPens& pens);

/// With which probability so many seeds show the effect, where the factors have these values.
ChartModel powerChart(const WhatNext& next, const StudySettings& factors, const VariantPens& pens);

}  // namespace slipstream
