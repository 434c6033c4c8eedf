// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/power.h"

#include <cmath>

#include "engine/statistics/distributions.h"
#include "engine/statistics/paired.h"
#include "engine/statistics/quadrature.h"

namespace slipstream {

double detectionProbability(double effect, double spread, double testSetError, double miss, int count) {
  const double error = spread / std::sqrt(count);
  const double deviation = std::hypot(error, testSetError);
  if (deviation == 0) return effect != 0 ? 1 : miss / 2;
  const double student = studentQuantile(1 - miss / 2, count - 1), normal = normalQuantile(1 - miss / 2);
  // Half of the interval goes with the spread that the differences happen to have.
  return meanOverSpread(count - 1, [&](double ratio) {
    const double half = std::hypot(student * error * ratio, normal * testSetError);
    return normalBelow((std::abs(effect) - half) / deviation);
  });
}

double detectableDifference(double spread, double testSetError, double miss, int count) {
  const IntervalReach reach = intervalReach(count, miss);
  return std::hypot(reach.studentDetectable * spread / std::sqrt(count), reach.normalDetectable * testSetError);
}

}  // namespace slipstream
