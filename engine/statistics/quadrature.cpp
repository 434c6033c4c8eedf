// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/statistics/quadrature.h"

#include <cmath>
#include <map>

namespace slipstream {

const std::vector<QuadraturePoint>& spreadPoints(int degrees) {
  // A power is looked for in steps, each of which asks for the same points.
  thread_local std::map<int, std::vector<QuadraturePoint>> kept;
  const auto [found, added] = kept.try_emplace(degrees);
  if (!added) return found->second;
  const double half = degrees / 2.0;
  const double scale = std::log(2.0) + half * std::log(half) - std::lgamma(half);
  found->second = quadrature(0, 1 + 8 / std::sqrt(degrees), 24);
  for (auto& [ratio, weight] : found->second) {
    weight *= std::exp(scale + (degrees - 1) * std::log(ratio) - half * ratio * ratio);
  }
  return found->second;
}

}  // namespace slipstream
