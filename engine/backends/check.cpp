// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/backends/backends.h"
#include "engine/backends/check_training.h"

namespace slipstream {
namespace {

KernelDifference difference(std::string kernel, const std::vector<double>& one, const std::vector<double>& other) {
  double apart = 0;
  double size = 0;
  for (std::size_t i = 0; i < one.size(); ++i) {
    if (one[i] == other[i] || (std::isnan(one[i]) && std::isnan(other[i]))) continue;
    const double distance = std::abs(one[i] - other[i]);
    // Only one of the two is no number, or they are infinities of two signs.
    if (!std::isfinite(distance)) return {std::move(kernel), std::numeric_limits<double>::quiet_NaN()};
    apart = std::max(apart, distance);
  }
  for (const double value : one) size = std::isfinite(value) ? std::max(size, std::abs(value)) : size;
  return {std::move(kernel), size > 0 ? apart / size : apart};
}

std::vector<KernelDifference> differencesOf(Device& one, Device& other, const CheckInput& input) {
  const KernelTables first = kernelTables(one);
  const KernelTables second = kernelTables(other);
  std::vector<KernelDifference> found;
  const auto resultsOfOther = trainingResults(other, second, input);
  for (const auto& [kernel, results] : trainingResults(one, first, input)) {
    const auto same = resultsOfOther.find(kernel);
    if (same != resultsOfOther.end()) found.push_back(difference(kernel, results, same->second));
  }
  return found;
}

}  // namespace

std::vector<KernelDifference> compareDevices(Device& one, Device& other) {
  std::vector<KernelDifference> all;
  for (const CheckInput& input : checkInputs()) {
    const auto found = differencesOf(one, other, input);
    if (all.empty()) all = found;
    for (std::size_t k = 0; k < all.size(); ++k) {
      const bool stays = std::isnan(all[k].largest) || found[k].largest <= all[k].largest;
      if (!stays) all[k] = found[k];
    }
  }
  return all;
}

}  // namespace slipstream
