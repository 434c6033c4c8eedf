// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include "engine/boost/grad_freeze/spec.h"

namespace slipstream {
namespace {

std::vector<std::string> namesOf(const std::vector<TensorSpec>& tensors) {
  std::vector<std::string> names;
  for (const TensorSpec& tensor : tensors) names.push_back(tensor.name);
  return names;
}

/// Python's `//` of positive numbers: the remainder is exact, so a quotient that only rounds up to a whole number stays
/// below it.
double floorDivide(double dividend, double divisor) {
  return std::round((dividend - std::fmod(dividend, divisor)) / divisor);
}

bool alwaysJoins(const std::string& name) {
  return name.find("bn") != std::string::npos || name.find("bias") != std::string::npos;
}

}  // namespace

std::vector<int> freezeBlocks(const std::vector<std::string>& names) {
  constexpr int full = 3;
  std::vector<int> starts;
  int held = 0;
  for (int i = 0; i < static_cast<int>(names.size()); ++i) {
    const bool starting = starts.empty() || (held >= full && !alwaysJoins(names[static_cast<std::size_t>(i)]));
    if (starting) {
      starts.push_back(i);
      held = 0;
    }
    ++held;
  }
  return starts;
}

std::vector<int> freezeGroups(const std::vector<std::string>& names, int groups) {
  const std::vector<int> blocks = freezeBlocks(names);
  const auto stride = blocks.size() / static_cast<std::size_t>(groups);
  std::vector<int> starts;
  for (std::size_t group = 0; group < static_cast<std::size_t>(groups); ++group) {
    starts.push_back(blocks.empty() ? 0 : blocks[group * stride]);
  }
  return starts;
}

std::vector<int> firstTrainedLayers(const std::vector<TensorSpec>& tensors, int groups) {
  std::vector<int> layers;
  for (const int tensor : freezeGroups(namesOf(tensors), groups)) {
    layers.push_back(tensor == 0 ? 0 : tensors[static_cast<std::size_t>(tensor)].layer);
  }
  return layers;
}

std::int64_t freezeFullSteps(double freezeP, int groups) {
  return static_cast<std::int64_t>(floorDivide(freezeP * (groups - 1), 1 - freezeP));
}

int freezeBlockCount(const std::vector<TensorSpec>& tensors) {
  return static_cast<int>(freezeBlocks(namesOf(tensors)).size());
}

}  // namespace slipstream
