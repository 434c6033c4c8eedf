// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "engine/study_results/scaling.h"
#include "engine/study_results/study_charts.h"
#include "engine/study_results/study_matrix.h"
#include "engine/study_results/study_profile.h"
#include "engine/study_results/study_summary.h"
#include "engine/study_results/time_to_target.h"
#include "engine/study_results/trade_off.h"
#include "engine/study_results/what_next.h"

namespace slipstream {

/// A study as it stands, without what came of its runs: read in a moment.
struct StudyStanding {
  StudyRecord record;
  StudyState state = StudyState::waiting;  ///< stateNow
  bool carriedOn = false;
  Study study;
  StudyMatrix matrix;
  std::vector<StudyCell> trials;  ///< of tuning
};
Result<StudyStanding> standingOf(RunStore& store, std::int64_t number);

/// All that is shown of a study: every figure of a page and of a report.
struct StudyReading {
  StudyStanding standing;
  StudyVerdict verdict;
  std::vector<StudyMatrix> matrices;  ///< one a measure that is judged
  VariantPens pens;
  std::vector<TimeToTarget> reached;  ///< of what was judged, one a combination of factors; none without a target
  std::vector<std::pair<StudySettings, Scaling>> scaling;  ///< one a combination of the other factors
  std::vector<TradeOffPoint> tradeOff;
  std::vector<ProfileCurve> profile;  ///< of what was judged
  WhatNext next;
  double hours = 0;                  ///< of all the cores of the study, that its runs have taken, as its budget counts
  std::vector<std::string> changed;  ///< changedSince: files that are not what was frozen
};
/// Runs that have ended are looked for in `known` first.
Result<StudyReading> readingOf(RunStore& store, std::int64_t number, KnownRuns& known);

}  // namespace slipstream
