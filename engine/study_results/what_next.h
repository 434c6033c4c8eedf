// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/study_results/study_runs.h"

namespace slipstream {

struct PowerPoint {
  int seeds = 0;
  double power = 0;  ///< the probability that so many seeds show the effect
};

/// What more seeds would do for one comparison.
struct NextSeeds {
  StudyComparison comparison;
  double effect = 0;      ///< that is to be shown: a difference, or of a ratio the ratio
  bool ofMargin = false;  ///< it is the margin; else what was seen
  std::vector<PowerPoint> power;
  std::optional<int> needed;  ///< in all, for detectionPower; nothing where no number of up to 1,000 is enough
};

/// What to do next, and what it costs.
struct WhatNext {
  int seeds = 0;                       ///< that have been judged
  int most = 0;                        ///< that the study was frozen with
  int looksLeft = 0;                   ///< rounds that may still be added
  int runsOfSeed = 0;                  ///< that one more seed takes
  std::optional<double> hoursOfSeed;   ///< of all cores of the study, by the runs that are done
  std::vector<NextSeeds> comparisons;  ///< those that were judged, in the verdict's order
};

/// Levels are those that a look at so many seeds would have, and beyond the study's most those of a new study with the
/// same comparisons. `cores`: of the study (coresOf).
WhatNext whatNext(StudyRuns& runs, const StudyVerdict& verdict, int cores);

}  // namespace slipstream
