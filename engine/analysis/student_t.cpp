// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/analysis/student_t.h"

#include <array>
#include <cmath>
#include <numbers>

namespace slipstream {
namespace {

/// P(|T| <= t) for whole degrees of freedom, a finite sum (Abramowitz and Stegun 26.7.3 and 26.7.4).
double studentWithin(double t, int degrees) {
  const double angle = std::atan(t / std::sqrt(degrees));
  const double cosine = std::cos(angle);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1;
  double sum = degrees == 1 ? 0 : term;
  for (int i = odd ? 2 : 1; i <= degrees - 3; i += 2) {
    term *= cosine * cosine * i / (i + 1);
    sum += term;
  }
  sum *= std::sin(angle);
  return odd ? 2 / std::numbers::pi * (angle + sum) : sum;
}

double normalWithin(double z) {
  return std::erf(z / std::numbers::sqrt2);
}

/// Returns the t >= 0 for which `within(t)`, which rises from 0 to 1, reaches `share`.
template <class Within>
double invert(const Within& within, double share) {
  double low = 0, high = 1;
  while (within(high) < share && high < 1e12) high *= 2;
  for (int i = 0; i < 80 && high - low > 1e-13 * high; ++i) {
    const double middle = (low + high) / 2;
    (within(middle) < share ? low : high) = middle;
  }
  return (low + high) / 2;
}

template <class Within>
double quantile(const Within& within, double probability) {
  const double size = invert(within, std::abs(2 * probability - 1));
  return probability < 0.5 ? -size : size;
}

/// Where the distribution of the estimated standard error is added up, as a share of the true one.
struct StandardErrors {
  static constexpr int points = 400;
  std::array<double, points> ratio, density;
  double width;
};

StandardErrors standardErrors(int degrees) {
  StandardErrors errors;
  const double half = degrees / 2.0;
  const double constant = std::log(2.0) + half * std::log(half) - std::lgamma(half);
  errors.width = (1 + 8 / std::sqrt(degrees)) / StandardErrors::points;
  for (std::size_t i = 0; i < StandardErrors::points; ++i) {
    const double ratio = (static_cast<double>(i) + 0.5) * errors.width;
    errors.ratio[i] = ratio;
    errors.density[i] = std::exp(constant + (degrees - 1) * std::log(ratio) - half * ratio * ratio);
  }
  return errors;
}

/// P(T > critical) for Student's t with this noncentrality.
double powerAt(double shift, double critical, const StandardErrors& errors) {
  double sum = 0;
  for (std::size_t i = 0; i < StandardErrors::points; ++i) {
    sum += errors.density[i] * std::erfc((critical * errors.ratio[i] - shift) / std::numbers::sqrt2) / 2;
  }
  return sum * errors.width;
}

}  // namespace

double normalQuantile(double probability) {
  return quantile(normalWithin, probability);
}

double detectableShift(double critical, int degrees, double power) {
  const StandardErrors errors = standardErrors(degrees);
  double low = 0, high = 3 * critical + 10;
  for (int i = 0; i < 30; ++i) {
    const double middle = (low + high) / 2;
    (powerAt(middle, critical, errors) < power ? low : high) = middle;
  }
  return (low + high) / 2;
}

double studentQuantile(double probability, int degrees) {
  return quantile([degrees](double t) { return studentWithin(t, degrees); }, probability);
}

}  // namespace slipstream
