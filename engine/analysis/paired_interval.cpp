// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/paired_interval.h"

#include <cmath>
#include <numeric>

#include "engine/analysis/student_t.h"

namespace slipstream {

double PairedDifferences::mean() const {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double PairedDifferences::spread() const {
  const double middle = mean();
  double squares = 0;
  for (const double value : values) squares += (value - middle) * (value - middle);
  return std::sqrt(squares / static_cast<double>(values.size() - 1));
}

bool PairedDifferences::canBeJudged() const {
  if (std::ssize(values) < fewestReplicas || !std::isfinite(testSetError)) return false;
  constexpr double rounding = 1e-9;  // of the mean: what differences of equal differences leave
  const double own = spread();
  return std::isfinite(own) && (own > rounding * std::abs(mean()) || testSetError > 0);
}

IntervalReach intervalReach(int replicas, double miss) {
  const double student = studentQuantile(1 - miss / 2, replicas - 1);
  const double normal = normalQuantile(1 - miss / 2);
  return {student, normal, detectableShift(student, replicas - 1, detectionPower),
          normal + normalQuantile(detectionPower)};
}

PairedInterval pairedInterval(const PairedDifferences& differences, const IntervalReach& reach) {
  const double seedError = differences.spread() / std::sqrt(static_cast<double>(differences.values.size()));
  const double half = std::hypot(reach.student * seedError, reach.normal * differences.testSetError);
  const double detectable =
      std::hypot(reach.studentDetectable * seedError, reach.normalDetectable * differences.testSetError);
  const double middle = differences.mean();
  return {middle - half, middle + half, detectable};
}

}  // namespace slipstream
