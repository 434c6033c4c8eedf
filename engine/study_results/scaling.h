// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "engine/study_results/study_runs.h"

namespace slipstream {

/// A figure at one number of ranks, over the seeds.
struct ScalingPoint {
  int ranks = 0;
  double value = 0;          ///< the mean; of ratios the geometric one
  double low = 0, high = 0;  ///< of the seeds
  int seeds = 0;
};

/// One variant over the numbers of ranks, rising; points of which nothing is known are missing. Ratios are to the
/// variant's own fewest ranks, seed by seed.
struct ScalingCurve {
  std::string variant;
  std::vector<ScalingPoint> throughput = {};        ///< samples a second
  std::vector<ScalingPoint> weakEfficiency = {};    ///< throughput a rank, of that with the fewest ranks
  std::vector<ScalingPoint> speedUp = {};           ///< of the time to the target, or of the whole training
  std::vector<ScalingPoint> strongEfficiency = {};  ///< speed-up of what the ranks are more
};

struct Scaling {
  std::vector<int> ranks;    ///< rising
  bool toTarget = false;     ///< what speeds up is the time to the target; else the whole training
  bool growingBatch = true;  ///< the samples of a step grow with the ranks, as weak scaling wants it
  std::vector<ScalingCurve> curves;
};

inline constexpr const char* ranksKey = "parallel.ranks";

/// Where the other factors have these values. Nothing where the ranks are no factor with two values or more. Seeds that
/// failed or did not reach the target are in no speed-up.
std::optional<Scaling> scalingOf(StudyRuns& runs, const Study& study, const StudySettings& others);

}  // namespace slipstream
