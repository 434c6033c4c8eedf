// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/distributions.h"

#include <array>
#include <cmath>
#include <numbers>

#include "engine/statistics/quadrature.h"

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

/// P(|T| > t), the terms that the finite sum leaves out of its series for all of the probability: none of them is
/// negative, so that what is small is not lost beside 1.
double studentTail(double t, int degrees) {
  const double ratio = t / std::sqrt(degrees);
  const double cosine = 1 / std::hypot(1, ratio);
  const bool odd = degrees % 2 == 1;
  double term = odd ? cosine : 1;
  int i = odd ? 2 : 1;
  for (; i <= degrees - 1; i += 2) term *= cosine * cosine * i / (i + 1);
  double sum = 0;
  for (; term > 1e-17 * sum; i += 2) {
    sum += term;
    term *= cosine * cosine * i / (i + 1);
  }
  sum *= std::sin(std::atan(ratio));
  return odd ? 2 / std::numbers::pi * sum : sum;
}

double normalWithin(double z) {
  return std::erf(z / std::numbers::sqrt2);
}

/// Returns the t >= 0 for which `within(t)`, which rises from 0 to 1, reaches `share`.
template <class Within>
double invert(const Within& within, double share) {
  double high = 1;
  while (within(high) < share && high < 1e12) high *= 2;
  return bisect([&](double t) { return within(t) - share; }, high == 1 ? 0 : high / 2, high, 60);
}

template <class Within>
double quantile(const Within& within, double probability) {
  const double size = invert(within, std::abs(2 * probability - 1));
  return probability < 0.5 ? -size : size;
}

}  // namespace

double normalBelow(double z) {
  return std::erfc(-z / std::numbers::sqrt2) / 2;
}

double normalQuantile(double probability) {
  return quantile(normalWithin, probability);
}

double studentBeyond(double t, int degrees) {
  // The series of the tail ends late where t is small, and there nothing is lost beside 1.
  return t < 1 ? 1 - studentWithin(t, degrees) : studentTail(t, degrees);
}

double studentQuantile(double probability, int degrees) {
  return quantile([degrees](double t) { return studentWithin(t, degrees); }, probability);
}

double studentPower(double shift, double critical, int degrees) {
  return meanOverSpread(degrees, [&](double ratio) { return normalBelow(shift - critical * ratio); });
}

double detectableShift(double critical, int degrees, double power) {
  // Regula falsi with halved weights (Illinois): the power is smooth and rises.
  double low = 0, high = 3 * critical + 10;
  double below = studentPower(low, critical, degrees) - power, beyond = studentPower(high, critical, degrees) - power;
  for (int i = 0; i < 60 && high - low > 1e-12 * high; ++i) {
    const double middle = (low * beyond - high * below) / (beyond - below);
    const double value = studentPower(middle, critical, degrees) - power;
    if (std::abs(value) < 1e-14) return middle;
    if (value < 0) {
      low = middle;
      below = value;
      beyond /= 2;
    } else {
      high = middle;
      beyond = value;
      below /= 2;
    }
  }
  return (low + high) / 2;
}

}  // namespace slipstream
