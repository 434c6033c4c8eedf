// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/profile.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace slipstream {

std::vector<std::vector<double>> performanceProfiles(const std::vector<std::vector<double>>& times,
                                                     const std::vector<double>& factors) {
  const std::size_t workloads = times.empty() ? 0 : times.front().size();
  std::vector<double> best(workloads, std::numeric_limits<double>::infinity());
  for (const std::vector<double>& own : times) {
    for (std::size_t i = 0; i < workloads; ++i) best[i] = std::min(best[i], own[i]);
  }
  std::vector<std::vector<double>> profiles;
  for (const std::vector<double>& own : times) {
    std::vector<double>& profile = profiles.emplace_back();
    for (const double factor : factors) {
      int within = 0;
      for (std::size_t i = 0; i < workloads; ++i) {
        // Where nobody reached the target, nobody did so as fast as the best.
        within += std::isfinite(own[i]) && own[i] / best[i] <= factor ? 1 : 0;
      }
      profile.push_back(static_cast<double>(within) / static_cast<double>(workloads));
    }
  }
  return profiles;
}

double profileScore(const std::vector<double>& profile, const std::vector<double>& factors) {
  double area = 0;
  for (std::size_t i = 1; i < factors.size(); ++i) {
    area += (factors[i] - factors[i - 1]) * (profile[i] + profile[i - 1]) / 2;
  }
  return area / (factors.back() - factors.front());
}

std::vector<double> profileFactors(double most, int count) {
  std::vector<double> factors;
  for (int i = 0; i < count; ++i) factors.push_back(1 + (most - 1) * i / (count - 1));
  return factors;
}

}  // namespace slipstream
