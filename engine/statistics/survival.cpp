// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/survival.h"

#include <algorithm>
#include <cmath>

#include "engine/statistics/distributions.h"

namespace slipstream {

std::vector<SurvivalStep> kaplanMeier(std::vector<TimeToEvent> times) {
  std::ranges::sort(times, {}, &TimeToEvent::time);
  std::vector<SurvivalStep> steps;
  double survival = 1, greenwood = 0;
  auto atRisk = static_cast<int>(times.size());
  for (std::size_t i = 0; i < times.size();) {
    const double time = times[i].time;
    int events = 0, leaving = 0;
    for (; i < times.size() && times[i].time == time; ++i) {
      ++leaving;
      events += times[i].happened ? 1 : 0;
    }
    if (events > 0) {
      survival *= 1 - static_cast<double>(events) / atRisk;
      greenwood += static_cast<double>(events) / (static_cast<double>(atRisk) * (atRisk - events));
      const double deviation = survival > 0 ? survival * std::sqrt(greenwood) : 0;
      steps.push_back({time, atRisk, events, survival, deviation});
    }
    atRisk -= leaving;
  }
  return steps;
}

SurvivalInterval survivalInterval(const SurvivalStep& step, double miss) {
  if (step.survival <= 0 || step.survival >= 1) return {step.survival, step.survival};
  const double logarithm = std::log(step.survival);
  const double reach = normalQuantile(1 - miss / 2) * step.deviation / (step.survival * std::abs(logarithm));
  return {std::exp(logarithm * std::exp(reach)), std::exp(logarithm * std::exp(-reach))};
}

double restrictedMean(const std::vector<SurvivalStep>& steps, double horizon) {
  double area = 0, from = 0, survival = 1;
  for (const SurvivalStep& step : steps) {
    if (step.time >= horizon) break;
    area += survival * (step.time - from);
    from = step.time;
    survival = step.survival;
  }
  return area + survival * (horizon - from);
}

}  // namespace slipstream
