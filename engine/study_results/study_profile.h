// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

#include "engine/study_results/study_runs.h"

namespace slipstream {

/// The performance profile of one variant: which share of the workloads it finishes within a factor of the best.
struct ProfileCurve {
  std::string variant;
  std::vector<double> factors;  ///< from 1 on, rising
  std::vector<double> shares;   ///< 0..1, one a factor
  double score = 0;             ///< the area under it, as a share of all there could be
};

/// One a variant, in the study's order: each combination of factors with each seed is a workload. `measure` counts up
/// to a target. Nothing where stages are compared, where variants have ended with different seeds, or runs were
/// deleted: a profile of some of the seeds would be another one.
std::vector<ProfileCurve> profileOf(StudyRuns& runs, const Study& study, const StudyMeasure& measure);

}  // namespace slipstream
