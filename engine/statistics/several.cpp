// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/several.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "engine/statistics/distributions.h"
#include "engine/statistics/quadrature.h"

namespace slipstream {
namespace {

/// Indices from the smallest p-value to the largest.
std::vector<std::size_t> byPValue(const std::vector<double>& pValues) {
  std::vector<std::size_t> order(pValues.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) { return pValues[a] < pValues[b]; });
  return order;
}

double normalDensity(double value, double variance) {
  return std::exp(-value * value / (2 * variance)) / std::sqrt(2 * std::numbers::pi * variance);
}

/// What of alpha may be spent until this share of the seeds is there, half of it on either side.
double spent(double share, double alpha) {
  return 4 * normalBelow(-normalQuantile(1 - alpha / 4) / std::sqrt(share));
}

/// The density of a Brownian motion that has not left the bounds of earlier looks, on points inside the last bounds.
struct Inside {
  std::vector<QuadraturePoint> points;
  std::vector<double> density;

  double leaving(double bound, double variance) const {
    const double deviation = std::sqrt(variance);
    double sum = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const double at = points[i].at;
      const double outside = normalBelow((at - bound) / deviation) + normalBelow((-at - bound) / deviation);
      sum += points[i].weight * density[i] * outside;
    }
    return sum;
  }

  Inside next(double bound, double variance) const {
    Inside after{quadrature(-bound, bound, 40), {}};
    for (const QuadraturePoint& to : after.points) {
      double sum = 0;
      for (std::size_t i = 0; i < points.size(); ++i) {
        sum += points[i].weight * density[i] * normalDensity(to.at - points[i].at, variance);
      }
      after.density.push_back(sum);
    }
    return after;
  }
};

}  // namespace

std::vector<double> holmAdjusted(const std::vector<double>& pValues) {
  std::vector<double> adjusted(pValues.size());
  double largest = 0;
  auto left = static_cast<double>(pValues.size());
  for (const std::size_t index : byPValue(pValues)) {
    largest = std::max(largest, std::min(1.0, pValues[index] * left));
    adjusted[index] = largest;
    --left;
  }
  return adjusted;
}

std::vector<HolmStep> holm(const std::vector<double>& pValues, const std::function<bool(double, int)>& isShown) {
  std::vector<HolmStep> steps(pValues.size());
  int shares = static_cast<int>(pValues.size());
  bool shown = true;
  for (const std::size_t index : byPValue(pValues)) {
    shown = shown && isShown(pValues[index], shares);
    steps[index] = {shown, shares};
    if (shown) --shares;
  }
  return steps;
}

std::vector<double> levelsOfLooks(const std::vector<double>& shares, double alpha) {
  std::vector<double> levels;
  Inside inside{{{0, 1}}, {1}};  // all of it at zero, before the first look
  double before = 0, spentBefore = 0;
  for (const double share : shares) {
    const double variance = share - before;
    const double toSpend = spent(share, alpha) - spentBefore;
    const double most = 40 * std::sqrt(share);
    const double bound = bisect([&](double at) { return toSpend - inside.leaving(at, variance); }, 0, most, 60);
    levels.push_back(2 * normalBelow(-bound / std::sqrt(share)));
    if (share == shares.back()) break;
    // Beyond nine deviations there is nothing.
    inside = inside.next(std::min(bound, 9 * std::sqrt(share)), variance);
    before = share;
    spentBefore += toSpend;
  }
  return levels;
}

}  // namespace slipstream
