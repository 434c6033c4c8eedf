// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/paired.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "engine/statistics/distributions.h"
#include "engine/statistics/quadrature.h"

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

namespace {

double seedError(const PairedDifferences& differences) {
  return differences.spread() / std::sqrt(static_cast<double>(differences.values.size()));
}

/// Half of the interval that misses with a probability of `miss`.
double halfWidth(const PairedDifferences& differences, double miss) {
  const double student = studentQuantile(1 - miss / 2, static_cast<int>(differences.values.size()) - 1);
  return std::hypot(student * seedError(differences), normalQuantile(1 - miss / 2) * differences.testSetError);
}

double detectable(const IntervalReach& reach, double error, double testSetError) {
  return std::hypot(reach.studentDetectable * error, reach.normalDetectable * testSetError);
}

}  // namespace

double pValue(const PairedDifferences& differences, double shift) {
  const double distance = std::abs(differences.mean() - shift);
  const double error = seedError(differences);
  const int degrees = static_cast<int>(differences.values.size()) - 1;
  if (differences.testSetError == 0) return error > 0 ? studentBeyond(distance / error, degrees) : distance > 0 ? 0 : 1;
  if (error == 0) return 2 * normalBelow(-distance / differences.testSetError);
  // In the logarithm, since what matters is small.
  const auto shortOf = [&](double logarithm) { return distance - halfWidth(differences, std::exp(logarithm)); };
  return std::exp(bisect(shortOf, std::log(1e-14), 0, 60));
}

double equivalencePValue(const PairedDifferences& differences, double margin) {
  const auto oneSided = [&](double bound, double inside) {
    const double half = pValue(differences, bound) / 2;
    return inside > 0 ? half : 1 - half;
  };
  const double mean = differences.mean();
  return std::max(oneSided(-margin, mean + margin), oneSided(margin, margin - mean));
}

std::optional<int> differencesNeeded(double effect, double spread, double testSetError, double miss, int most) {
  // With the normal distribution in place of Student's, which takes a few more.
  const double reach = normalQuantile(1 - miss / 2) + normalQuantile(detectionPower);
  const double left = effect * effect - reach * reach * testSetError * testSetError;
  const double least = left > 0 ? std::ceil(reach * reach * spread * spread / left) : most + 1.0;
  for (int count = std::max(fewestReplicas, static_cast<int>(std::min(least, most + 1.0))); count <= most; ++count) {
    const double error = spread / std::sqrt(count);
    if (detectable(intervalReach(count, miss), error, testSetError) <= std::abs(effect)) return count;
  }
  return std::nullopt;
}

PairedInterval pairedInterval(const PairedDifferences& differences, const IntervalReach& reach) {
  const double error = seedError(differences);
  const double half = std::hypot(reach.student * error, reach.normal * differences.testSetError);
  const double middle = differences.mean();
  return {middle - half, middle + half, detectable(reach, error, differences.testSetError)};
}

}  // namespace slipstream
