// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/spec/optimizer_spec.h"

#include <algorithm>

#include "engine/base/text.h"

namespace slipstream {

std::vector<std::string> stateNames(const OptimizerSpec& optimizer) {
  const OptimizerInfo& info = infoOf(optimizer.kind);
  std::vector<std::string> names;
  if (info.momentum && !info.trustCoefficient && optimizer.momentum == 0) return names;
  for (const char* name : info.states) {
    if (name != nullptr) names.emplace_back(name);
  }
  return names;
}

const ParameterGroupSpec* groupOf(const OptimizerSpec& optimizer, const std::string& tensor) {
  const auto owns = [&](const ParameterGroupSpec& group) {
    return std::ranges::any_of(group.match,
                               [&](const std::string& pattern) { return matchesPattern(tensor, pattern); });
  };
  const auto found = std::ranges::find_if(optimizer.groups, owns);
  return found == optimizer.groups.end() ? nullptr : &*found;
}

}  // namespace slipstream
