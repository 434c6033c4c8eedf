// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/statistics/survival.h"
#include "engine/study_results/study_runs.h"

namespace slipstream {

/// How the seeds of one variant reached the target, by Kaplan and Meier's estimate.
struct ReachedCurve {
  std::string variant;
  int seeds = 0;  ///< whose runs have ended
  int reached = 0, never = 0, failed = 0;
  std::vector<SurvivalStep> steps = {};     ///< of the share that has not reached it
  std::vector<SurvivalInterval> band = {};  ///< one a step, of that share
  double end = 0;                           ///< as far as the last of them was watched
  double restrictedMean = 0;                ///< up to TimeToTarget::horizon
  std::optional<double> median = {};        ///< nothing where fewer than half of them reached it
};

/// Of all variants where the factors have the same values.
struct TimeToTarget {
  StudyMeasure measure;  ///< one that counts up to a target
  StudySettings factors;
  double horizon = 0;                ///< up to which every seed was watched, or reached it
  bool isCut = false;                ///< some seed had not reached it by then
  double level = 0.95;               ///< of the bands, point by point
  std::vector<ReachedCurve> curves;  ///< of variants with a seed that has ended, in the study's order
};

/// The measure that counts up to the target: the one that is asked about, else steps; nothing where the study has no
/// target.
const StudyMeasure* targetMeasureOf(const Study& study);

/// A failed run never reaches the target, however long the others are watched.
TimeToTarget timeToTarget(StudyRuns& runs, const Study& study, const StudyMeasure& measure,
                          const StudySettings& factors);

}  // namespace slipstream
